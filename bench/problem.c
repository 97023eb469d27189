/* Arrays and matrices on the host, in the forms that the CPU's loops need: for all suites. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "core/numbers.h"
#include "core/try.h"
#include "suite.h"

/* Zeros, at the beginning of a cache line; `halo` more on both sides, so that loops may read beyond
 * the ends without asking. */
float *txBenchArray(int64_t n, int64_t halo) {
  size_t bytes = ((size_t)(n + 2 * halo) * sizeof(float) + 63) & ~(size_t)63;
  float *x = aligned_alloc(64, bytes);
  if (!x)
    return NULL;
  memset(x, 0, bytes);
  return x + halo;
}

/* What was allocated begins before the halo. */
void txBenchFree(float *x, int64_t halo) {
  if (x)
    free(x - halo);
}

const char *txBenchTemporary(void) {
  const char *folder = getenv("TMPDIR");
  if (folder)
    return folder;
  return "/tmp";
}

/* ||x - exact|| / ||exact||, or the difference itself where that is zero. */
double txBenchError(const float *x, const double *exact, int64_t n) {
  double difference = 0, norm = 0;
  for (int64_t i = 0; i < n; i++) {
    double d = (double)x[i] - exact[i];
    difference += d * d;
    norm += exact[i] * exact[i];
  }
  if (norm > 0)
    return sqrt(difference / norm);
  return sqrt(difference);
}

/* Compressed rows in single precision. */
static clStatus makeRows(txProblem *p) {
  const clTriplets *A = p->A;
  p->start = calloc((size_t)p->n + 1, sizeof *p->start);
  p->column = malloc((size_t)A->count * sizeof *p->column);
  p->value = malloc((size_t)A->count * sizeof *p->value);
  if (!p->start || !p->column || !p->value)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < A->count; k++) {
    p->start[A->row[k] + 1]++;
    p->column[k] = A->col[k];
    p->value[k] = (float)A->value[k];
  }
  for (int64_t i = 0; i < p->n; i++)
    p->start[i + 1] += p->start[i];
  p->rows = (txCpuMatrix){.multiply = txCpuRows,
                          .rows = p->n,
                          .cols = p->n,
                          .start = p->start,
                          .column = p->column,
                          .value = p->value};
  return TEXLA_OK;
}

/* A matrix with more of them is no banded one. */
enum { MOST_DIAGONALS = 16 };

/* The offsets that occur, or more than MOST_DIAGONALS of them. */
static int findOffsets(const clTriplets *A, int64_t *offset) {
  int count = 0;
  for (int64_t e = 0; e < A->count && count <= MOST_DIAGONALS; e++) {
    int64_t here = (int64_t)A->col[e] - A->row[e];
    int k = 0;
    while (k < count && offset[k] != here)
      k++;
    if (k == count)
      offset[count++] = here;
  }
  return count;
}

/* One array for each diagonal, indexed by rows, with zeros where it leaves the matrix; the halo
 * is as wide as the farthest diagonal reaches. */
static clStatus makeDiagonals(txProblem *p) {
  p->offset = calloc(MOST_DIAGONALS + 1, sizeof *p->offset);
  p->vector = calloc(MOST_DIAGONALS, sizeof *p->vector);
  if (!p->offset || !p->vector)
    return TEXLA_OUT_OF_MEMORY;
  int count = findOffsets(p->A, p->offset);
  /* no use for diagonals */
  if (count > MOST_DIAGONALS)
    return TEXLA_OK;
  for (int k = 0; k < count; k++) {
    p->halo = txMost64(p->halo, llabs(p->offset[k]));
    p->vector[k] = txBenchArray(p->n, 0);
    if (!p->vector[k])
      return TEXLA_OUT_OF_MEMORY;
  }
  for (int64_t e = 0; e < p->A->count; e++)
    for (int k = 0; k < count; k++)
      if (p->A->col[e] - p->A->row[e] == p->offset[k])
        p->vector[k][p->A->row[e]] = (float)p->A->value[e];
  p->diagonals = (txCpuMatrix){.multiply = txCpuDiagonals,
                               .rows = p->n,
                               .cols = p->n,
                               .diagonals = count,
                               .offset = p->offset,
                               .vector = (const float *const *)p->vector};
  return TEXLA_OK;
}

/* Takes the triplets, which txProblemDestroy frees. */
clStatus txProblemCreate(txProblem *p, clTriplets *A) {
  *p = (txProblem){.A = A, .n = A->rows};
  TRY(makeRows(p));
  return makeDiagonals(p);
}

/* Also what has never been made. */
void txProblemDestroy(txProblem *p) {
  for (int k = 0; p->vector && k < MOST_DIAGONALS; k++)
    txBenchFree(p->vector[k], 0);
  free(p->vector);
  free(p->offset);
  free(p->start);
  free(p->column);
  free(p->value);
  clTripletsDestroy(p->A);
}
