/* Many small products in one pass, beside the same as loops on the CPU: grids of blocks of n x n
 * that fill a square matrix. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/try.h"
#include "suite.h"

typedef struct Job {
  /* the matrix is side x side; a block is n x n */
  int side, n;
  clDense *A, *B, *C[2];
  float *a, *b, *c;
} Job;

static clStatus device(void *user, int64_t i) {
  const Job *j = user;
  int count = j->side / j->n;
  return clDenseMultiplyBatch(j->C[i & 1], 1, TEXLA_NO_TRANSPOSE, j->A, TEXLA_NO_TRANSPOSE, j->B, 0,
                              count, count);
}

/* Rows of blocks in parallel; the innermost loop runs along rows. */
static clStatus cpu(void *user, int64_t i) {
  (void)i;
  const Job *j = user;
  const int64_t side = j->side;
  const int n = j->n;
  memset(j->c, 0, (size_t)(side * side) * sizeof *j->c);
#pragma omp parallel for
  for (int64_t row = 0; row < side; row++)
    for (int64_t block = 0; block < side; block += n) {
      float *restrict c = j->c + row * side + block;
      for (int k = 0; k < n; k++) {
        float factor = j->a[row * side + block + k];
        const float *restrict b = j->b + (row / n * n + k) * side + block;
        for (int l = 0; l < n; l++)
          c[l] += factor * b[l];
      }
    }
  return TEXLA_OK;
}

/* The relative error of some rows. */
static clStatus check(void *user, bool peer, double *error) {
  const Job *j = user;
  int64_t side = j->side;
  clStatus status = peer ? cpu(user, 0) : device(user, 0);
  if (!status && !peer)
    status = clDenseDownload(j->C[0], j->c, j->side);
  double sum = 0, size = 0;
  for (int64_t row = 0; row < side && !status; row += side / 16)
    for (int64_t col = 0; col < side; col++) {
      double exact = 0;
      for (int k = 0; k < j->n; k++)
        exact += (double)j->a[row * side + col / j->n * j->n + k] *
                 (double)j->b[(row / j->n * j->n + k) * side + col];
      sum += (exact - (double)j->c[row * side + col]) * (exact - (double)j->c[row * side + col]);
      size += exact * exact;
    }
  *error = txBenchRelative(sum, size);
  return status;
}

static clStatus create(txBench *bench, Job *j) {
  int64_t count = (int64_t)j->side * j->side;
  clDense **matrix[] = {&j->A, &j->B, &j->C[0], &j->C[1]};
  clStatus status = txBenchUse(bench, count);
  j->a = txBenchArray(count, 0);
  j->b = txBenchArray(count, 0);
  j->c = txBenchArray(count, 0);
  if (!j->a || !j->b || !j->c)
    return TEXLA_OUT_OF_MEMORY;
  txBenchNoise(j->a, count, 44, -1, 1);
  txBenchNoise(j->b, count, 45, -1, 1);
  for (int k = 0; k < 4 && !status; k++)
    status = clDenseCreate(matrix[k], bench->context, j->side, j->side);
  if (!status)
    status = clDenseUpload(j->A, j->a, j->side);
  TRY(status);
  return clDenseUpload(j->B, j->b, j->side);
}

static void destroy(Job *j) {
  clDenseDestroy(j->A);
  clDenseDestroy(j->B);
  clDenseDestroy(j->C[0]);
  clDenseDestroy(j->C[1]);
  txBenchFree(j->a, 0);
  txBenchFree(j->b, 0);
  txBenchFree(j->c, 0);
}

/* Products that are too small to fill the device one by one. */
clStatus txBenchBatch(txBench *bench) {
  Job j = {.side = bench->quick ? 256 : 1024};
  clStatus status = create(bench, &j);
  double entries = (double)j.side * j.side;
  for (j.n = 4; j.n <= 64 && !status; j.n *= 2) {
    txBenchCase c = {.name = "batch",
                     .user = &j,
                     .device = device,
                     .peer = {{"cpu_loops", cpu}},
                     .check = check,
                     .work = 2 * entries * j.n,
                     .unit = "GFLOP/s",
                     .needs = {4 * entries, 8 * entries, 2 * entries * j.n}};
    snprintf(c.size, sizeof c.size, "%dx%d^2", (j.side / j.n) * (j.side / j.n), j.n);
    status = txBenchRunCase(bench, &c);
  }
  destroy(&j);
  return txBenchForgive(bench, "batch", status);
}
