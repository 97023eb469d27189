/* A matrix on the host in the forms that the CPU's loops need. */
#ifndef TEXLA_BENCH_PROBLEM_H
#define TEXLA_BENCH_PROBLEM_H

#include "cpu.h"
#include "texla/triplets.h"

/* A square matrix with n rows as triplets (A), which it owns, and as CPU matrices, whose arrays are
 * below them. A vector that is multiplied needs `halo` zeros on both sides (txBenchArray). */
typedef struct txProblem {
  clTriplets *A;
  int64_t n, halo;
  /* diagonals: where there are few; stencil, dense: set by hand */
  txCpuMatrix rows, diagonals, stencil, dense;
  int32_t *start, *column;
  float *value, **vector;
  int64_t *offset;
} txProblem;

/* Takes over A (square, compressed), also when it fails; txProblemDestroy. */
clStatus txProblemCreate(txProblem *p, clTriplets *A);
void txProblemDestroy(txProblem *p);

#endif
