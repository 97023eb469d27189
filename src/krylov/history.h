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

/* What is known of one right-hand side. */
typedef struct txStanding {
  /* TEXLA_REASON_NONE: open */
  clReason reason;
  int64_t iterations;
  double bb, first, rr0,
      /* squares: of b, of the residual at the start, after the last restart, and of the last one
       * seen */
      last;
} txStanding;

/* What is known of a run. */
typedef struct txProgress {
  txStanding column[TX_COLUMNS];
  /* the first iteration: 0, but in a run that goes on */
  int64_t start;
  /* where the iteration started last */
  int64_t begun;
  /* ||b||^2, read together with the first segment */
  txRead *bb_read;
  /* iteration whose x was copied to s->candidate and whose residual is not known yet; -1: none */
  int64_t copied;
  /* square of the residual of s->best */
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

/* The loop (iterate.c): `count` iterations; all iterations of a solve; x to where the caller has
 * it. */
clStatus txIterateSubmit(clSolver *s, int64_t count);
clStatus txIterateSolve(clSolver *s, txProgress *p);
clStatus txIterateDeliver(clSolver *s);

#endif
