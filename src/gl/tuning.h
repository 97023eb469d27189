/* Where two variants win on different devices, both exist; the first use measures them and the
 * table remembers. */
#ifndef TEXLA_GL_TUNING_H
#define TEXLA_GL_TUNING_H

#include "gl/context.h"

/* Runs variant `value` once, for measuring. */
typedef clStatus (*txTuningRun)(void *user, int value);

/* *value <- the choice for `key`, one of the candidates: from the pinned file, the table or the
 * cache, else the fastest (shortest of several runs, each waited for; at most 16 candidates) which
 * is then remembered. `run` prepares what it needs at its first call. A candidate that fails is
 * left out; `fallback` when all do. */
clStatus txTuningChoose(clContext *context, const char *key, const int *candidates, int count,
                        txTuningRun run, void *user, int fallback, int *value);

/* Of variants that compute wrong on some devices: *value, the choice for `key`, is run once in a
 * context's life, because a file may have it from another device. If that fails, the choice and
 * *value become `fallback`. TEXLA_OUT_OF_MEMORY is passed on. */
clStatus txTuningCheck(clContext *context, const char *key, txTuningRun run, void *user,
                       int fallback, int *value);

/* The table itself. *value is untouched where there is no such key. Keys: at most 63 characters, no
 * blanks. */
TX_COMPANION bool txTuningKnown(const clContext *context, const char *key, int *value);
TX_COMPANION clStatus txTuningAdd(clContext *context, const char *key, int value);
/* Writes the table where it is kept, if it is. */
TX_COMPANION void txTuningSave(clContext *context);

#endif
