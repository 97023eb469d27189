#include "solvers/aggregation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSolverCreate";
enum { ALONE = -2, FREE = -1 };

static clStatus noMemory(clError *error, int32_t n) {
  return txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory to coarsen %d unknowns", n);
}

/* start[i] is row i's first entry; the caller frees it. */
static int64_t *rowStarts(const clTriplets *A) {
  int64_t *start = calloc((size_t)A->rows + 1, sizeof *start);
  for (int64_t k = 0; k < A->count && start; k++)
    start[A->row[k] + 1]++;
  for (int32_t i = 0; i < A->rows && start; i++)
    start[i + 1] += start[i];
  return start;
}

clStatus txTripletsProduct(clTriplets **out, const clTriplets *A, const clTriplets *B, clError *error) {
  clTriplets *C = NULL;
  double *sum = calloc((size_t)B->cols, sizeof *sum);
  int32_t *seen = calloc((size_t)B->cols, sizeof *seen), *list = malloc((size_t)B->cols * sizeof *list);
  int64_t *a = rowStarts(A), *b = rowStarts(B);
  clStatus status = sum && seen && list && a && b ? clTripletsCreate(&C, A->rows, B->cols, A->count, error)
                                                  : noMemory(error, A->rows);
  for (int32_t i = 0; i < A->rows && !status; i++) {
    int32_t count = 0;
    for (int64_t k = a[i]; k < a[i + 1]; k++)
      for (int64_t l = b[A->col[k]]; l < b[A->col[k] + 1]; l++) {
        int32_t j = B->col[l];
        if (seen[j] != i + 1) {
          seen[j] = i + 1;
          list[count++] = j;
          sum[j] = 0;
        }
        sum[j] += A->value[k] * B->value[l];
      }
    for (int32_t l = 0; l < count && !status; l++)
      status = clTripletsAdd(C, i, list[l], sum[list[l]], error);
  }
  if (!status)
    status = clTripletsCompress(C, error);
  free(sum);
  free(seen);
  free(list);
  free(a);
  free(b);
  if (status)
    clTripletsDestroy(C);
  else
    *out = C;
  return status;
}

/* The work of one coarsening. */
typedef struct coarsener {
  const clTriplets *A;
  const double *near;
  double theta, largest;
  int64_t *start;
  double *diagonal;
  int32_t *aggregate, count;
  double *norm; /* of `near` over each aggregate */
} coarsener;

static bool isStrong(const coarsener *c, int64_t k) {
  int32_t i = c->A->row[k], j = c->A->col[k];
  double v = c->A->value[k];
  return i != j && v * v > c->theta * c->theta * fabs(c->diagonal[i] * c->diagonal[j]);
}

/* Phase 1: rows all of whose strong neighbours are free are an aggregate with them. */
static void seedAggregates(coarsener *c) {
  for (int32_t i = 0; i < c->A->rows; i++) {
    bool all_free = c->aggregate[i] == FREE;
    int64_t strong = 0;
    for (int64_t k = c->start[i]; k < c->start[i + 1] && all_free; k++)
      if (isStrong(c, k)) {
        strong++;
        all_free = c->aggregate[c->A->col[k]] == FREE;
      }
    if (all_free && strong == 0)
      c->aggregate[i] = ALONE;
    if (!all_free || strong == 0)
      continue;
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++)
      if (isStrong(c, k))
        c->aggregate[c->A->col[k]] = c->count;
    c->aggregate[i] = c->count++;
  }
}

/* Phase 2: what is left joins the aggregate of its strongest neighbour, of those of phase 1. */
static void joinAggregates(coarsener *c, int32_t *joined) {
  for (int32_t i = 0; i < c->A->rows; i++) {
    double strongest = 0;
    joined[i] = c->aggregate[i];
    for (int64_t k = c->start[i]; k < c->start[i + 1] && c->aggregate[i] == FREE; k++)
      if (isStrong(c, k) && c->aggregate[c->A->col[k]] >= 0 && fabs(c->A->value[k]) > strongest) {
        strongest = fabs(c->A->value[k]);
        joined[i] = c->aggregate[c->A->col[k]];
      }
  }
  memcpy(c->aggregate, joined, (size_t)c->A->rows * sizeof *joined);
}

/* Phase 3: the rest, with the free ones around it. */
static void gatherRest(coarsener *c) {
  for (int32_t i = 0; i < c->A->rows; i++) {
    if (c->aggregate[i] != FREE)
      continue;
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++)
      if (isStrong(c, k) && c->aggregate[c->A->col[k]] == FREE)
        c->aggregate[c->A->col[k]] = c->count;
    c->aggregate[i] = c->count++;
  }
}

static clStatus aggregate(coarsener *c, clError *error) {
  int32_t n = c->A->rows, *joined = malloc((size_t)n * sizeof *joined);
  c->start = rowStarts(c->A);
  c->diagonal = calloc((size_t)n, sizeof *c->diagonal);
  c->aggregate = malloc((size_t)n * sizeof *c->aggregate);
  c->norm = calloc((size_t)n, sizeof *c->norm);
  if (!c->start || !c->diagonal || !c->aggregate || !c->norm || !joined) {
    free(joined);
    return noMemory(error, n);
  }
  for (int64_t k = 0; k < c->A->count; k++)
    if (c->A->row[k] == c->A->col[k])
      c->diagonal[c->A->row[k]] = c->A->value[k];
  for (int32_t i = 0; i < n; i++)
    c->aggregate[i] = FREE;
  seedAggregates(c);
  joinAggregates(c, joined);
  gatherRest(c);
  free(joined);
  for (int32_t i = 0; i < n; i++)
    if (c->aggregate[i] >= 0)
      c->norm[c->aggregate[i]] += c->near[i] * c->near[i];
  for (int32_t j = 0; j < c->count; j++)
    c->norm[j] = c->norm[j] > 0 ? sqrt(c->norm[j]) : 1;
  return TEXLA_OK;
}

/* Row i's diagonal with the weak entries added, so that the product with `near` stays. */
static double filteredDiagonal(const coarsener *c, int32_t i) {
  double d = c->diagonal[i];
  for (int64_t k = c->start[i]; k < c->start[i + 1] && c->near[i] != 0; k++)
    if (c->A->col[k] != i && !isStrong(c, k))
      d += c->A->value[k] * c->near[c->A->col[k]] / c->near[i];
  return fabs(d) > 0.1 * fabs(c->diagonal[i]) ? d : c->diagonal[i];
}

/* Row i of (I - omega D^-1 A') T. Entries of one aggregate are summed when P is compressed. */
static clStatus prolongRow(const coarsener *c, clTriplets *P, int32_t i, clError *error) {
  double d = filteredDiagonal(c, i), omega = 4 / (3 * c->largest);
  int32_t own = c->aggregate[i];
  clStatus status = own < 0
                        ? TEXLA_OK
                        : clTripletsAdd(P, i, own, (1 - omega * d / c->diagonal[i]) * c->near[i] / c->norm[own], error);
  for (int64_t k = c->start[i]; k < c->start[i + 1] && !status; k++) {
    int32_t j = c->A->col[k], a = c->aggregate[j];
    if (isStrong(c, k) && a >= 0)
      status = clTripletsAdd(P, i, a, -omega * c->A->value[k] / c->diagonal[i] * c->near[j] / c->norm[a], error);
  }
  return status;
}

static clStatus prolong(txCoarsening *out, const coarsener *c, clError *error) {
  clStatus status = clTripletsCreate(&out->P, c->A->rows, c->count, 2 * (int64_t)c->A->rows, error);
  for (int32_t i = 0; i < c->A->rows && !status; i++)
    status = prolongRow(c, out->P, i, error);
  if (!status)
    status = clTripletsCompress(out->P, error);
  return status ? status : clTripletsTranspose(&out->R, out->P, error);
}

clStatus txCoarsen(txCoarsening *out, const clTriplets *A, const double *near, double theta, double largest,
                   clError *error) {
  coarsener c = {.A = A, .near = near, .theta = theta, .largest = largest};
  clTriplets *AP = NULL;
  *out = (txCoarsening){0};
  clStatus status = aggregate(&c, error);
  if (!status && c.count) {
    status = prolong(out, &c, error);
    if (!status)
      status = txTripletsProduct(&AP, A, out->P, error);
    if (!status)
      status = txTripletsProduct(&out->A, out->R, AP, error);
    out->near = c.norm;
    c.norm = NULL;
  }
  clTripletsDestroy(AP);
  free(c.start);
  free(c.diagonal);
  free(c.aggregate);
  free(c.norm);
  if (status)
    txCoarseningDestroy(out);
  return status;
}

void txCoarseningDestroy(txCoarsening *c) {
  clTripletsDestroy(c->P);
  clTripletsDestroy(c->R);
  clTripletsDestroy(c->A);
  free(c->near);
  *c = (txCoarsening){0};
}

/* The largest magnitude in rows and columns that have not been exchanged yet. */
static double findPivot(const double *a, int n, const int *column, const int *row, int *p, int *q) {
  double largest = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n && column[i] < 0; j++)
      if (row[j] < 0 && fabs(a[i * n + j]) > largest) {
        largest = fabs(a[i * n + j]);
        *p = i;
        *q = j;
      }
  return largest;
}

/* y = a x, with y_p and x_q exchanged. */
static void exchange(double *a, int n, int p, int q) {
  double pivot = 1 / a[p * n + q];
  for (int j = 0; j < n; j++)
    a[p * n + j] *= -pivot;
  for (int i = 0; i < n; i++) {
    double f = a[i * n + q];
    if (i == p || f == 0)
      continue;
    for (int j = 0; j < n; j++)
      a[i * n + j] += f * a[p * n + j];
    a[i * n + q] = f * pivot;
  }
  a[p * n + q] = pivot;
}

int txInvert(double *a, int n, double tolerance) {
  int *column = malloc(2 * (size_t)n * sizeof *column), *row = column + n, rank = 0, p = 0, q = 0;
  double *copy = malloc((size_t)n * (size_t)n * sizeof *copy), first = 0, largest;
  for (int i = 0; i < n && column; i++)
    column[i] = row[i] = -1; /* that row i, column i were exchanged with */
  for (; column && copy && rank < n; rank++) {
    largest = findPivot(a, n, column, row, &p, &q);
    first = rank ? first : largest;
    if (!(largest > tolerance * first))
      break;
    exchange(a, n, p, q);
    column[p] = q;
    row[q] = p;
  }
  bool done = column && copy;
  if (done)
    memset(copy, 0, (size_t)n * (size_t)n * sizeof *copy);
  for (int i = 0; i < n && done; i++) /* what was not exchanged is zero in x, and left over in y */
    for (int j = 0; j < n; j++)
      if (column[i] >= 0 && row[j] >= 0)
        copy[column[i] * n + row[j]] = a[i * n + j];
  if (done)
    memcpy(a, copy, (size_t)n * (size_t)n * sizeof *copy);
  free(column);
  free(copy);
  return done ? rank : -1;
}
