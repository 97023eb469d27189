/* Multigrid cycles, written once. What kind of level it is (on the device, on the host, a matrix of
 * algebraic multigrid, spread over ranks, ...) is a table of operations; V, W and F cycles and full
 * multigrid are what txCycleRun and txCycleStart make of them.
 *
 * Each level solves A x = b, and its x and b are its own affair: those of the finest are set
 * before a cycle begins, those of the others belong to the level. P interpolates from the next
 * coarser level, whose x is written e. */
#ifndef TEXLA_MULTIGRID_CYCLE_H
#define TEXLA_MULTIGRID_CYCLE_H

#include "platform/companion.h"
#include "texla/solver.h"

enum { TX_LEVELS = 40 };

/* What a smoother is asked for. */
typedef enum txSmoothing {
  /* before the coarse correction; x counts as zero, whatever it holds */
  TX_SMOOTH_FROM_ZERO,
  TX_SMOOTH_BEFORE,
  TX_SMOOTH_AFTER,
  /* after it, the sweeps in reverse order: so that the cycle is symmetric */
  TX_SMOOTH_REVERSED
} txSmoothing;

typedef struct txLevelOps {
  clStatus (*smooth)(void *level, txSmoothing part);
  /* b of the next level <- P^T (b - A x) */
  clStatus (*residual)(void *level);
  /* b of the next level <- P^T b */
  clStatus (*restriction)(void *level);
  /* x <- x + P e; with `start` x <- P e */
  clStatus (*prolong)(void *level, bool start);
  /* x <- A^-1 b; of the coarsest level only this is called */
  clStatus (*solve)(void *level);
  /* Of a level that works on copies (NULL: it does not): get b from where the finer level has put
   * it, put x where that level expects it. */
  clStatus (*enter)(void *level);
  clStatus (*leave)(void *level);
} txLevelOps;

/* A level as the cycle sees it: operations, and the object that they work on. */
typedef struct txCycleLevel {
  const txLevelOps *ops;
  void *level;
} txCycleLevel;

/* The levels, the finest first. Traces tell them apart where there is a context. */
typedef struct txCycle {
  txCycleLevel level[TX_LEVELS];
  int levels;
  clCycle kind;
  clContext *context;
} txCycle;

/* One cycle. `zero`: the finest x counts as zero; `symmetric`: smoothing afterwards is reversed. */
TX_COMPANION clStatus txCycleRun(const txCycle *cycle, bool zero, bool symmetric);
/* Full multigrid: solves on the coarsest level, then on each finer one a cycle that starts from
 * what the coarser ones found. */
clStatus txCycleStart(const txCycle *cycle);

#endif
