/* Which passes are traced, and how much of them: clTraceOptions.choose. */
#ifndef TEXLA_TRACE_CHOOSE_H
#define TEXLA_TRACE_CHOOSE_H

#include "gl/observe.h"

enum { TX_TRACE_NAMES = 16 };

/* Passes from pass[0] to pass[1]; where `iterations` says so only those of iteration[0] to
 * iteration[1]; and where there are names, patterns of the shell, only those whose kernel, call or
 * scope matches one. The trace holds `megabytes` at most, and of each texture `texels` texels. */
typedef struct txTraceChoice {
  int64_t pass[2], iteration[2];
  bool iterations;
  char name[TX_TRACE_NAMES][64];
  int names;
  int64_t megabytes, texels;
  bool pictures;
} txTraceChoice;

/* The choice from its text, clTraceOptions.choose; NULL chooses everything. */
clStatus txTraceChoose(txTraceChoice *out, clError *error, const char *call, const char *list);

/* `number`: of the pass in the trace, from 1. */
bool txTraceChosen(const txTraceChoice *choice, const clContext *context,
                   const txPassReport *report, int64_t number);

#endif
