/* The history of residuals: what the device has written is read at a fixed lag, recorded and
 * judged. */
#ifndef TEXLA_KRYLOV_HISTORY_H
#define TEXLA_KRYLOV_HISTORY_H

#include "krylov/frame.h"

/* A stretch of iterations whose history is on its way to the host. */
typedef struct txSegment {
  txRead *read;
  int64_t first, count;
} txSegment;

/* What is known of one right-hand side, which is open while its reason is TEXLA_REASON_NONE. The
 * numbers are squares of norms: of b, of the residual at the start (`first`) and after the last
 * restart (`rr0`), and of the last one seen. */
typedef struct txStanding {
  clReason reason;
  int64_t iterations;
  double bb, first, rr0, last;
} txStanding;

/* What is known of a run. Its first iteration is `start`, 0 but in a run that goes on; `begun` is
 * where it started last. `bb_read` reads ||b||^2 together with the first segment. `copied` is the
 * iteration whose x was copied to s->candidate and whose residual is not known yet, or -1; `best`
 * is the square of the residual of s->best. */
typedef struct txProgress {
  txStanding column[TX_COLUMNS];
  int64_t start;
  int64_t begun;
  txRead *bb_read;
  int64_t copied;
  double best;
} txProgress;

/* Is a right-hand side still open? */
bool txProgressOpen(const clSolver *s, const txProgress *p);
/* All that are open end for this reason. */
void txProgressEnd(const clSolver *s, txProgress *p, clReason reason);
/* The last residual seen, relative to b. */
double txRelative(const txStanding *at);

/* Starts to read ||b||^2, and the history of the iterations first .. first + count - 1. */
clStatus txHistoryReadNorm(const clSolver *s, txProgress *p);
clStatus txHistoryRead(clSolver *s, txSegment *segment, int64_t first, int64_t count);
/* Waits for the segment, records its residuals and decides. */
clStatus txHistoryJudge(clSolver *s, txSegment *segment, txProgress *p);
/* How many iterations a run will have taken at its end, if residuals go on falling as they did in
 * the second half of those that are known; INT64_MAX where they do not fall. */
int64_t txHistoryEnd(const clSolver *s, const txProgress *p);
/* Has right-hand side j converged by a residual that x may not have? A recursion keeps the rounding
 * errors of its largest residual (van der Vorst and Ye 2000): r_k and b - A x_k differ by some 64
 * eps of it (softpipe, BiCGStab on 64 x 65 points: 29 eps). Where none was larger than FAR ||b||,
 * this is what single precision costs anyway. */
bool txHistoryDeceives(const clSolver *s, const txProgress *p, int j);

/* The loop (iterate.c): `count` iterations; all iterations of a solve; x to where the caller has
 * it. */
clStatus txIterateSubmit(clSolver *s, int64_t count);
clStatus txIterateSolve(clSolver *s, txProgress *p);
clStatus txIterateDeliver(clSolver *s);

#endif
