/* Many small products in one pass, beside the same as loops on the CPU: grids of blocks of n x n
 * that fill a square matrix. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/try.h"
#include "suite.h"

/* The matrices are s.n x s.n; a block of them is n x n. */
typedef struct Job {
  txBenchSquares s;
  int n;
} Job;

/* Each block of A by the block of B in the same place; results in turns. */
static clStatus device(void *user, int64_t i) {
  const Job *j = user;
  const txBenchSquares *s = &j->s;
  int count = s->n / j->n;
  return clDenseMultiplyBatch(s->C[i & 1], 1, TEXLA_NO_TRANSPOSE, s->A, TEXLA_NO_TRANSPOSE, s->B, 0,
                              count, count);
}

/* Rows of blocks in parallel; the innermost loop runs along rows. */
static clStatus cpu(void *user, int64_t i) {
  (void)i;
  const Job *j = user;
  const txBenchSquares *s = &j->s;
  const int64_t side = s->n;
  const int n = j->n;
  memset(s->c, 0, (size_t)(side * side) * sizeof *s->c);
#pragma omp parallel for
  for (int64_t row = 0; row < side; row++)
    for (int64_t block = 0; block < side; block += n) {
      float *restrict c = s->c + row * side + block;
      for (int k = 0; k < n; k++) {
        float factor = s->a[row * side + block + k];
        const float *restrict b = s->b + (row / n * n + k) * side + block;
        for (int l = 0; l < n; l++)
          c[l] += factor * b[l];
      }
    }
  return TEXLA_OK;
}

/* The relative error of sixteen rows, against products in double. */
static clStatus check(void *user, bool peer, double *error) {
  const Job *j = user;
  const txBenchSquares *s = &j->s;
  int64_t side = s->n;
  if (peer)
    TRY(cpu(user, 0));
  else {
    TRY(device(user, 0));
    TRY(clDenseDownload(s->C[0], s->c, side));
  }
  double sum = 0, size = 0;
  for (int64_t row = 0; row < side; row += side / 16)
    for (int64_t col = 0; col < side; col++) {
      double exact = 0;
      for (int k = 0; k < j->n; k++)
        exact += (double)s->a[row * side + col / j->n * j->n + k] *
                 (double)s->b[(row / j->n * j->n + k) * side + col];
      sum += (exact - (double)s->c[row * side + col]) * (exact - (double)s->c[row * side + col]);
      size += exact * exact;
    }
  *error = txBenchRelative(sum, size);
  return TEXLA_OK;
}

/* Products that are too small to fill the device one by one: (side / n)^2 of them, each of 2 n^3
 * operations. */
clStatus txBenchBatch(txBench *bench) {
  Job j = {.n = 0};
  int side = bench->quick ? 256 : 1024;
  double entries = (double)side * side;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txBenchSquaresCreate(bench, &j.s, side));
  for (j.n = 4; j.n <= 64; j.n *= 2) {
    txBenchCase c = {.name = "batch",
                     .user = &j,
                     .device = device,
                     .peer = {{"cpu_loops", cpu}},
                     .check = check,
                     .work = 2 * entries * j.n,
                     .unit = "GFLOP/s",
                     .needs = {4 * entries, 8 * entries, 2 * entries * j.n}};
    snprintf(c.size, sizeof c.size, "%dx%d^2", (side / j.n) * (side / j.n), j.n);
    TRY_CLEANUP(txBenchRunCase(bench, &c));
  }
cleanup:
  txBenchSquaresDestroy(&j.s);
  return txBenchForgive(bench, "batch", status);
}
