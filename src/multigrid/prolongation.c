/* From aggregates to a coarser matrix: tentative prolongation, its smoothing, the Galerkin
 * product. */
#include "core/allocate.h"
#include "core/parallel.h"
#include "core/try.h"
#include "multigrid/aggregation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSolverCreate";

/* The work of one coarsening. Row i of A begins at start[i]; row i of q holds T's entries of unknown i, as many as its aggregate
 * has coarse unknowns; r holds R of each aggregate, vectors x vectors by rows. */
typedef struct coarsener {
  txAggregation *out;
  const clTriplets *A;
  int64_t *start;
  const txNearNull *near;
  double omega;
  double *diagonal;
  double *q;
  double *r;
} coarsener;

static void *allocate(clError *error, int64_t count, size_t size) {
  return txAllocate(error, call, (size_t)count, size, "coarsening a matrix");
}

static void release(coarsener *c) {
  free(c->start);
  free(c->diagonal);
  free(c->q);
  free(c->r);
}

static void findDiagonals(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const coarsener *c = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++)
      if (c->A->col[k] == i)
        c->diagonal[i] = c->A->value[k];
}

/* Where A's rows begin, and its diagonal. */
static clStatus findRows(coarsener *c, clError *error) {
  c->start = txTripletsRowStarts(c->A, error);
  c->diagonal = allocate(error, c->A->rows, sizeof *c->diagonal);
  if (!c->start || !c->diagonal)
    return TEXLA_OUT_OF_MEMORY;
  txParallel(c->A->rows, findDiagonals, c, NULL);
  return TEXLA_OK;
}

/* The unknowns of each aggregate, by counting sort. */
static clStatus listMembers(const coarsener *c, clError *error) {
  txAggregation *out = c->out;
  const int32_t *of = out->aggregates.of, count = out->aggregates.count;
  out->begin = allocate(error, (int64_t)count + 2, sizeof *out->begin);
  out->member = allocate(error, c->A->rows, sizeof *out->member);
  out->first = allocate(error, (int64_t)count + 1, sizeof *out->first);
  if (!out->begin || !out->member || !out->first)
    return TEXLA_OUT_OF_MEMORY;
  /* While members are listed, at[a] moves from the begin of aggregate a to its end, which is the
   * begin of the next. */
  int32_t *at = out->begin + 1;
  for (int32_t i = 0; i < c->A->rows; i++)
    if (of[i] >= 0 && of[i] + 1 < count)
      at[of[i] + 1]++;
  for (int32_t a = 1; a < count; a++)
    at[a] += at[a - 1];
  for (int32_t i = 0; i < c->A->rows; i++)
    if (of[i] >= 0)
      out->member[at[of[i]]++] = i;
  return TEXLA_OK;
}

/* Column `from` of the near null space on the aggregate, made orthogonal to the `rank` columns of Q
 * that are there. What is left of it becomes the next one, if anything is. */
static int addColumn(const coarsener *c, int32_t a, int from, int rank) {
  int vectors = c->near->vectors;
  const int32_t *begin = c->out->begin, *member = c->out->member;
  const double *v = c->near->v + (int64_t)from * c->A->rows;
  double *r = c->r + (int64_t)a * vectors * vectors, before = 0, after = 0;
  for (int32_t m = begin[a]; m < begin[a + 1]; m++) {
    int64_t i = member[m];
    c->q[i * vectors + rank] = v[i];
    before += v[i] * v[i];
  }
  /* Gram and Schmidt's projection twice: that is enough (Giraud, Langou and Rozloznik 2005). */
  for (int k = 0; k < 2 * rank; k++) {
    double h = 0;
    for (int32_t m = begin[a]; m < begin[a + 1]; m++)
      h +=
          c->q[(int64_t)member[m] * vectors + k % rank] * c->q[(int64_t)member[m] * vectors + rank];
    for (int32_t m = begin[a]; m < begin[a + 1]; m++)
      c->q[(int64_t)member[m] * vectors + rank] -=
          h * c->q[(int64_t)member[m] * vectors + k % rank];
    r[k % rank * vectors + from] += h;
  }
  for (int32_t m = begin[a]; m < begin[a + 1]; m++)
    after += c->q[(int64_t)member[m] * vectors + rank] * c->q[(int64_t)member[m] * vectors + rank];
  if (!(after > 1e-12 * before))
    return rank;
  r[rank * vectors + from] = sqrt(after);
  for (int32_t m = begin[a]; m < begin[a + 1]; m++)
    c->q[(int64_t)member[m] * vectors + rank] /= sqrt(after);
  return rank + 1;
}

/* N = Q R on each aggregate; a small one may have fewer coarse unknowns than there are vectors.
 * False: one has not the number that it had (`again`). */
static bool orthogonalize(const coarsener *c, bool again) {
  int32_t *first = c->out->first, *begin = c->out->begin;
  for (int32_t a = 0; a < c->out->aggregates.count; a++) {
    int rank = 0, most = begin[a + 1] - begin[a];
    for (int k = 0; k < c->near->vectors && rank < most; k++)
      rank = addColumn(c, a, k, rank);
    if (again && first[a + 1] != first[a] + rank)
      return false;
    first[a + 1] = first[a] + rank;
  }
  return true;
}

/* Q and R of the near null space on the aggregates that are there. */
static clStatus represent(coarsener *c, bool again, bool *same, clError *error) {
  int64_t vectors = c->near->vectors;
  c->q = allocate(error, c->A->rows * vectors, sizeof *c->q);
  c->r = allocate(error, c->out->aggregates.count * vectors * vectors, sizeof *c->r);
  if (!c->q || !c->r)
    return TEXLA_OUT_OF_MEMORY;
  *same = orthogonalize(c, again);
  return TEXLA_OK;
}

/* ---- The prolongation ------------------------------------------------------------------------ */

/* Adds a number times row j of T, which has all coarse unknowns of j's aggregate. */
static void addTentative(const coarsener *c, int32_t j, double factor, txRowSum *sum) {
  int32_t a = c->out->aggregates.of[j];
  if (a < 0)
    return;
  const int32_t *first = c->out->first;
  const double *q = c->q + (int64_t)j * c->near->vectors;
  for (int32_t k = first[a]; k < first[a + 1]; k++)
    txRowAdd(sum, k, factor * q[k - first[a]]);
}

/* Row i of P = S T, S = I - omega D^-1 A'. A' has the strong entries of A; its diagonal is that of A
 * with the weak ones added, so that the product with the only vector stays. */
static void addSmoothedRow(const void *user, int64_t i, txRowSum *sum) {
  const coarsener *c = user;
  const clTriplets *A = c->A;
  const unsigned char *strong = c->out->strong;
  const double *v = c->near->v;
  double own = c->diagonal[i], d = own, lumped = own;
  if (own == 0)
    d = 1;
  for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) {
    if (A->col[k] == i)
      continue;
    if (!strong || strong[k])
      addTentative(c, A->col[k], -c->omega * A->value[k] / d, sum);
    else if (v[i] != 0)
      lumped += A->value[k] * v[A->col[k]] / v[i];
  }
  /* Lumping must not make the diagonal vanish. */
  if (!(fabs(lumped) > 0.1 * fabs(own)))
    lumped = own;
  addTentative(c, (int32_t)i, 1 - c->omega * lumped / d, sum);
}

/* The near null space of the coarser matrix: the R of all aggregates. */
static void fillNear(const coarsener *c) {
  int vectors = c->near->vectors;
  const int32_t *first = c->out->first, count = c->out->aggregates.count, n = first[count];
  for (int32_t a = 0; a < count; a++)
    for (int32_t i = first[a]; i < first[a + 1]; i++)
      for (int k = 0; k < vectors; k++)
        c->out->near.v[(int64_t)k * n + i] =
            c->r[((int64_t)a * vectors + i - first[a]) * vectors + k];
}

/* Room for it; each aggregate is a node. */
static clStatus createNear(const coarsener *c, clError *error) {
  txNearNull *near = &c->out->near;
  const int32_t *first = c->out->first, count = c->out->aggregates.count;
  near->vectors = c->near->vectors;
  near->v = allocate(error, (int64_t)first[count] * near->vectors, sizeof *near->v);
  if (!near->v)
    return TEXLA_OUT_OF_MEMORY;
  if (near->vectors == 1)
    return TEXLA_OK;
  near->first = allocate(error, (int64_t)count + 1, sizeof *near->first);
  if (!near->first)
    return TEXLA_OUT_OF_MEMORY;
  near->nodes = count;
  memcpy(near->first, first, ((size_t)count + 1) * sizeof *first);
  return TEXLA_OK;
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* With several vectors P smooths at all entries. */
static clStatus findAggregates(coarsener *c, clError *error) {
  txAggregation *out = c->out;
  out->strong = txStrongFind(c->A, c->start, c->diagonal, c->near, out->theta, error);
  if (!out->strong)
    return TEXLA_OUT_OF_MEMORY;
  TRY(txAggregatesFind(&out->aggregates, c->A, c->start, out->strong, c->near, error));
  if (c->near->vectors > 1) {
    free(out->strong);
    out->strong = NULL;
  }
  return TEXLA_OK;
}

static clStatus coarsen(coarsener *c, clError *error) {
  txAggregation *out = c->out;
  bool same;
  TRY(listMembers(c, error));
  TRY(represent(c, false, &same, error));
  TRY(createNear(c, error));
  fillNear(c);
  int32_t coarse = out->first[out->aggregates.count];
  TRY(txTripletsBuild(&out->P, c->A->rows, coarse, addSmoothedRow, c, error));
  TRY(clTripletsTranspose(&out->R, out->P, error));
  TRY(txTripletsProduct(&out->AP, c->A, out->P, error));
  return txTripletsProduct(&out->A, out->R, out->AP, error);
}

clStatus txAggregate(txAggregation *out, const clTriplets *A, const txNearNull *near, double theta,
                     double largest, clError *error) {
  coarsener c = {.out = out, .A = A, .near = near, .omega = 4 / (3 * largest)};
  *out = (txAggregation){.theta = theta};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(findRows(&c, error));
  TRY_CLEANUP(findAggregates(&c, error));
  if (out->aggregates.count > 0)
    TRY_CLEANUP(coarsen(&c, error));
cleanup:
  release(&c);
  if (!out->A)
    txAggregationDestroy(out);
  return status;
}

/* Do about the same entries couple strongly as when P got its positions? */
static clStatus checkStrong(const coarsener *c, bool *fits, clError *error) {
  const unsigned char *had = c->out->strong;
  int64_t turned = 0;
  if (!had)
    return TEXLA_OK;
  unsigned char *has = txStrongFind(c->A, c->start, c->diagonal, c->near, c->out->theta, error);
  if (!has)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < c->A->count; k++)
    turned += has[k] != had[k];
  free(has);
  *fits = (double)turned <= TX_TURNED * (double)(c->A->count - c->A->rows);
  return TEXLA_OK;
}

static clStatus update(coarsener *c, bool *fits, clError *error) {
  txAggregation *out = c->out;
  TRY(findRows(c, error));
  TRY(represent(c, true, fits, error));
  if (*fits)
    TRY(checkStrong(c, fits, error));
  if (!*fits)
    return TEXLA_OK;
  fillNear(c);
  TRY(txTripletsRefill(out->P, addSmoothedRow, c, error));
  TRY(txTripletsTurn(out->R, out->P, error));
  TRY(txTripletsMultiply(out->AP, c->A, out->P, error));
  return txTripletsMultiply(out->A, out->R, out->AP, error);
}

clStatus txAggregationUpdate(txAggregation *out, const clTriplets *A, const txNearNull *near,
                             double largest, bool *fits, clError *error) {
  coarsener c = {.out = out, .A = A, .near = near, .omega = 4 / (3 * largest)};
  clStatus status = update(&c, fits, error);
  release(&c);
  return status;
}

void txAggregationDestroy(txAggregation *a) {
  clTriplets *const matrix[] = {a->P, a->R, a->AP, a->A};
  for (size_t k = 0; k < sizeof matrix / sizeof *matrix; k++)
    clTripletsDestroy(matrix[k]);
  txNearNullForget(&a->near);
  free(a->aggregates.of);
  free(a->begin);
  free(a->member);
  free(a->first);
  free(a->strong);
  *a = (txAggregation){0};
}
