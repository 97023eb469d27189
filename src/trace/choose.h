/* Which passes are traced, and how much of them: clTraceOptions.choose. */
#ifndef TEXLA_TRACE_CHOOSE_H
#define TEXLA_TRACE_CHOOSE_H

#include "gl/observe.h"

enum { TX_TRACE_NAMES = 16 };

typedef struct txTraceChoice {
  /* first and last; [1] 0: all */
  int64_t pass[2], iteration[2];
  /* some were asked for */
  bool iterations;
  /* patterns of the shell */
  char name[TX_TRACE_NAMES][64];
  /* 0: all */
  int names;
  int64_t megabytes, texels;
  bool pictures;
} txTraceChoice;

/* NULL: everything */
clStatus txTraceChoose(txTraceChoice *out, clError *error, const char *call, const char *list);

/* `number`: of the pass in the trace, from 1. */
bool txTraceChosen(const txTraceChoice *choice, const clContext *context,
                   const txPassReport *report, int64_t number);

#endif
