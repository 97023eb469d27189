/* What multigrid is held against: V(2,2) cycles in single precision inside a loop over residuals in
 * double, on the square five-point grid 4 -1 -1 -1 -1 with zero boundary, written out as plain
 * loops. Any side: where it is even, the last coarse points are closer to the boundary than the
 * others, and their rows say so. */
#ifndef TEXLA_BENCH_CPU_MULTIGRID_H
#define TEXLA_BENCH_CPU_MULTIGRID_H

#include <stdint.h>

typedef struct txCpuMultigrid txCpuMultigrid;

/* NULL without memory */
txCpuMultigrid *txCpuMultigridCreate(int64_t side);
void txCpuMultigridDestroy(txCpuMultigrid *mg);

/* From x = 0 until the true residual is tolerance * ||b||; returns the cycles. */
int64_t txCpuMultigridSolve(txCpuMultigrid *mg, const float *b, double tolerance, int64_t most);
void txCpuMultigridSolution(const txCpuMultigrid *mg, double *x);

#endif
