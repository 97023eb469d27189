/* Saved states. One function of the program names its parts in turn, and the same function saves
 * and loads:
 *
 *     demoStateNumbers(state, "clock", &time, 1);
 *     demoStateFloats(state, "u", u, nx * ny);
 *     return demoStateStatus(state);
 *
 * The file: "TEXLASIM", format (uint32, 1), byte order (uint32 0x01020304), then parts: name (32
 * bytes), length in bytes (uint64), content; and at the end a hash of all before (uint64, FNV-1a).
 * The first parts are `program` (its name), `options` (a line name=value for each number and choice
 * of the command line); the others are the program's, doubles and floats as the machine has them: a
 * run that goes on from a file repeats the one that wrote it bit for bit. */
#ifndef DEMOS_COMMON_STATE_H
#define DEMOS_COMMON_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "texla/status.h"

typedef struct demoState demoState;

/* An empty one, to be filled. */
clStatus demoStateCreate(demoState **out, clError *error);
/* One from a file; TEXLA_BAD_FILE tells what is wrong with it. */
clStatus demoStateRead(demoState **out, const char *path, clError *error);
clStatus demoStateWrite(demoState *state, const char *path, clError *error);
/* NULL is allowed */
void demoStateDestroy(demoState *state);

/* One that has been filled is loaded from now on, as often as wanted; `error` gets the messages
 * from now on. */
void demoStateRewind(demoState *state, clError *error);
/* in bytes */
size_t demoStateSize(const demoState *state);

/* Each saves or loads a part; nothing happens after a failure, which demoStateStatus tells. */
void demoStateBytes(demoState *state, const char *name, void *bytes, size_t count);
void demoStateNumbers(demoState *state, const char *name, double *values, int count);
/* Refuses a loaded part with a number outside of these limits. */
void demoStateCheck(demoState *state, const char *name, const double *values, int count,
                    double least, double most);
void demoStateFloats(demoState *state, const char *name, float *values, size_t count);
/* the message is in the `error` of Create or Read */
clStatus demoStateStatus(const demoState *state);
bool demoStateLoads(const demoState *state);
/* such a part, loading */
bool demoStateHas(const demoState *state, const char *name);

/* Loading: the text of a part, zero at its end (owned by the state), or NULL. */
const char *demoStateText(demoState *state, const char *name);

#endif
