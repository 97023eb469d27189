/* From aggregates to a coarser matrix: tentative prolongation, its smoothing, the Galerkin product. */
#include "core/allocate.h"
#include "multigrid/aggregation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSolverCreate";

/* The work of one coarsening. */
typedef struct coarsener {
  const clTriplets *A;
  const txNearNull *near;
  double theta, omega;
  int64_t *start;
  double *diagonal;
  txAggregates aggregates;
  int32_t *begin, *member; /* the unknowns of aggregate a: member[begin[a]] .. member[begin[a + 1] - 1] */
  int32_t *first;          /* its first coarse unknown, and one beyond the last */
  double *q;               /* T: row i holds the entries of unknown i, as many as its aggregate has coarse unknowns */
  double *r;               /* R of each aggregate, vectors x vectors by rows */
} coarsener;

static void *allocate(clError *error, int64_t count, size_t size) {
  return txAllocate(error, call, (size_t)count, size, "coarsening a matrix");
}

static clStatus prepare(coarsener *c, clError *error) {
  const clTriplets *A = c->A;
  c->start = txTripletsRowStarts(A, error);
  c->diagonal = allocate(error, A->rows, sizeof *c->diagonal);
  if (!c->start || !c->diagonal)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == A->col[k])
      c->diagonal[A->row[k]] = A->value[k];
  clStatus status = txAggregatesFind(&c->aggregates, A, c->diagonal, c->near, c->theta, error);
  if (status)
    return status;
  int64_t count = c->aggregates.count, vectors = c->near->vectors;
  c->begin = allocate(error, count + 2, sizeof *c->begin);
  c->member = allocate(error, A->rows, sizeof *c->member);
  c->first = allocate(error, count + 1, sizeof *c->first);
  c->q = allocate(error, A->rows * vectors, sizeof *c->q);
  c->r = allocate(error, count * vectors * vectors, sizeof *c->r);
  return c->begin && c->member && c->first && c->q && c->r ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
}

static void listMembers(coarsener *c) {
  const int32_t *of = c->aggregates.of;
  int32_t *at = c->begin + 1; /* ends as begin */
  for (int32_t i = 0; i < c->A->rows; i++)
    if (of[i] >= 0 && of[i] + 1 < c->aggregates.count)
      at[of[i] + 1]++;
  for (int32_t a = 1; a < c->aggregates.count; a++)
    at[a] += at[a - 1];
  for (int32_t i = 0; i < c->A->rows; i++)
    if (of[i] >= 0)
      c->member[at[of[i]]++] = i;
}

/* Column `from` of the near null space on the aggregate, made orthogonal to the `rank` columns of Q that are there. What is left of it
 * becomes the next one, if anything is. */
static int addColumn(coarsener *c, int32_t a, int from, int rank) {
  int vectors = c->near->vectors;
  const double *v = c->near->v + (int64_t)from * c->A->rows;
  double *r = c->r + (int64_t)a * vectors * vectors, before = 0, after = 0;
  for (int32_t m = c->begin[a]; m < c->begin[a + 1]; m++) {
    int64_t i = c->member[m];
    c->q[i * vectors + rank] = v[i];
    before += v[i] * v[i];
  }
  for (int k = 0; k < 2 * rank; k++) { /* twice is enough */
    double h = 0;
    for (int32_t m = c->begin[a]; m < c->begin[a + 1]; m++)
      h += c->q[(int64_t)c->member[m] * vectors + k % rank] * c->q[(int64_t)c->member[m] * vectors + rank];
    for (int32_t m = c->begin[a]; m < c->begin[a + 1]; m++)
      c->q[(int64_t)c->member[m] * vectors + rank] -= h * c->q[(int64_t)c->member[m] * vectors + k % rank];
    r[k % rank * vectors + from] += h;
  }
  for (int32_t m = c->begin[a]; m < c->begin[a + 1]; m++)
    after += c->q[(int64_t)c->member[m] * vectors + rank] * c->q[(int64_t)c->member[m] * vectors + rank];
  if (!(after > 1e-12 * before))
    return rank;
  r[rank * vectors + from] = sqrt(after);
  for (int32_t m = c->begin[a]; m < c->begin[a + 1]; m++)
    c->q[(int64_t)c->member[m] * vectors + rank] /= sqrt(after);
  return rank + 1;
}

/* N = Q R on each aggregate; a small one may have fewer coarse unknowns than there are vectors. */
static void orthogonalize(coarsener *c) {
  for (int32_t a = 0; a < c->aggregates.count; a++) {
    int rank = 0, most = c->begin[a + 1] - c->begin[a];
    for (int k = 0; k < c->near->vectors && rank < most; k++)
      rank = addColumn(c, a, k, rank);
    c->first[a + 1] = c->first[a] + rank;
  }
}

static bool isKept(const coarsener *c, int64_t k) {
  int32_t i = c->A->row[k], j = c->A->col[k];
  double v = c->A->value[k];
  return c->near->vectors > 1 || v * v > c->theta * c->theta * fabs(c->diagonal[i] * c->diagonal[j]);
}

/* Row i's diagonal with the weak entries added, so that the product with the only vector stays. */
static double filteredDiagonal(const coarsener *c, int32_t i) {
  const double *v = c->near->v;
  double d = c->diagonal[i];
  for (int64_t k = c->start[i]; k < c->start[i + 1] && v[i] != 0; k++)
    if (c->A->col[k] != i && !isKept(c, k))
      d += c->A->value[k] * v[c->A->col[k]] / v[i];
  return fabs(d) > 0.1 * fabs(c->diagonal[i]) ? d : c->diagonal[i];
}

/* Row i of P += factor times row j of T */
static clStatus addRow(const coarsener *c, clTriplets *P, int32_t i, int32_t j, double factor, clError *error) {
  int32_t a = c->aggregates.of[j];
  clStatus status = TEXLA_OK;
  for (int32_t k = a < 0 ? 0 : c->first[a]; a >= 0 && k < c->first[a + 1] && !status; k++)
    status = clTripletsAdd(P, i, k, factor * c->q[(int64_t)j * c->near->vectors + k - c->first[a]], error);
  return status;
}

/* Row i of (I - omega D^-1 A') T. Entries of one aggregate are summed when P is compressed. */
static clStatus prolongRow(const coarsener *c, clTriplets *P, int32_t i, clError *error) {
  double d = c->diagonal[i] != 0 ? c->diagonal[i] : 1;
  clStatus status = addRow(c, P, i, i, 1 - c->omega * filteredDiagonal(c, i) / d, error);
  for (int64_t k = c->start[i]; k < c->start[i + 1] && !status; k++)
    if (c->A->col[k] != i && isKept(c, k))
      status = addRow(c, P, i, c->A->col[k], -c->omega * c->A->value[k] / d, error);
  return status;
}

static clStatus prolong(txAggregation *out, const coarsener *c, clError *error) {
  clStatus status =
      clTripletsCreate(&out->P, c->A->rows, c->first[c->aggregates.count], 2 * (int64_t)c->A->rows, error);
  for (int32_t i = 0; i < c->A->rows && !status; i++)
    status = prolongRow(c, out->P, i, error);
  if (!status)
    status = clTripletsCompress(out->P, error);
  return status ? status : clTripletsTranspose(&out->R, out->P, error);
}

/* The near null space of the coarser matrix: the R of all aggregates, each a node. */
static clStatus handOn(txNearNull *near, const coarsener *c, clError *error) {
  int vectors = near->vectors = c->near->vectors;
  int32_t count = c->aggregates.count, n = c->first[count];
  near->v = allocate(error, (int64_t)n * vectors, sizeof *near->v);
  if (!near->v)
    return TEXLA_OUT_OF_MEMORY;
  for (int32_t a = 0; a < count; a++)
    for (int32_t i = c->first[a]; i < c->first[a + 1]; i++)
      for (int k = 0; k < vectors; k++)
        near->v[(int64_t)k * n + i] = c->r[((int64_t)a * vectors + i - c->first[a]) * vectors + k];
  if (vectors == 1)
    return TEXLA_OK;
  near->first = allocate(error, (int64_t)count + 1, sizeof *near->first);
  near->nodes = count;
  if (near->first)
    memcpy(near->first, c->first, ((size_t)count + 1) * sizeof *near->first);
  return near->first ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
}

static clStatus coarsen(txAggregation *out, coarsener *c, clError *error) {
  clTriplets *AP = NULL;
  listMembers(c);
  orthogonalize(c);
  clStatus status = prolong(out, c, error);
  if (!status)
    status = txTripletsProduct(&AP, c->A, out->P, error);
  if (!status)
    status = txTripletsProduct(&out->A, out->R, AP, error);
  clTripletsDestroy(AP);
  return status ? status : handOn(&out->near, c, error);
}

clStatus txAggregate(txAggregation *out, const clTriplets *A, const txNearNull *near, double theta, double largest,
                     clError *error) {
  coarsener c = {.A = A, .near = near, .theta = theta, .omega = 4 / (3 * largest)};
  *out = (txAggregation){0};
  clStatus status = prepare(&c, error);
  if (!status && c.aggregates.count)
    status = coarsen(out, &c, error);
  free(c.start);
  free(c.diagonal);
  free(c.aggregates.of);
  free(c.begin);
  free(c.member);
  free(c.first);
  free(c.q);
  free(c.r);
  if (status)
    txAggregationDestroy(out);
  return status;
}

void txAggregationDestroy(txAggregation *a) {
  clTripletsDestroy(a->P);
  clTripletsDestroy(a->R);
  clTripletsDestroy(a->A);
  txNearNullForget(&a->near);
  *a = (txAggregation){0};
}
