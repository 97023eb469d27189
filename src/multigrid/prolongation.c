/* From aggregates to a coarser matrix: tentative prolongation, its smoothing, the Galerkin
 * product. */
#include "core/allocate.h"
#include "core/parallel.h"
#include "core/triplets.h"
#include "core/try.h"
#include "multigrid/aggregation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSolverCreate";

/* The work of one coarsening. Row i of q holds T's entries of unknown i, as many as its aggregate
 * has coarse unknowns; r holds R of each aggregate, vectors x vectors by rows. */
typedef struct coarsener {
  txAggregation *out;
  const clTriplets *A;
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
  free(c->diagonal);
  free(c->q);
  free(c->r);
}

static clStatus findDiagonal(coarsener *c, clError *error) {
  const clTriplets *A = c->A;
  c->diagonal = allocate(error, A->rows, sizeof *c->diagonal);
  if (!c->diagonal)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == A->col[k])
      c->diagonal[A->row[k]] = A->value[k];
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

/* ---- Positions ------------------------------------------------------------------------------- */

static bool isStrong(const coarsener *c, int64_t k) {
  int32_t i = c->A->row[k], j = c->A->col[k];
  double v = c->A->value[k], theta = c->out->theta;
  return c->near->vectors > 1 || v * v > theta * theta * fabs(c->diagonal[i] * c->diagonal[j]);
}

/* One more entry; there is room for it. */
static void append(clTriplets *A, int32_t i, int32_t j) {
  A->row[A->count] = i;
  A->col[A->count++] = j;
}

/* S: the diagonal and what is strong. */
static clStatus placeSmoothing(const coarsener *c, clError *error) {
  const clTriplets *A = c->A;
  TRY(clTripletsCreate(&c->out->S, A->rows, A->rows, A->count + A->rows, error));
  for (int64_t i = 0, k = 0; i < A->rows; i++) {
    bool own = false;
    for (; k < A->count && A->row[k] == i; k++) {
      if (!own && A->col[k] >= i)
        append(c->out->S, (int32_t)i, (int32_t)i);
      own = own || A->col[k] >= i;
      if (A->col[k] != i && isStrong(c, k))
        append(c->out->S, (int32_t)i, A->col[k]);
    }
    if (!own)
      append(c->out->S, (int32_t)i, (int32_t)i);
  }
  return TEXLA_OK;
}

/* T: all coarse unknowns of the aggregate that an unknown belongs to. */
static clStatus placeTentative(const coarsener *c, clError *error) {
  const int32_t *first = c->out->first, *of = c->out->aggregates.of, n = c->A->rows;
  int64_t most = (int64_t)n * c->near->vectors;
  TRY(clTripletsCreate(&c->out->T, n, first[c->out->aggregates.count], most, error));
  for (int32_t i = 0; i < n; i++) {
    if (of[i] < 0)
      continue;
    for (int32_t k = first[of[i]]; k < first[of[i] + 1]; k++)
      append(c->out->T, i, k);
  }
  return TEXLA_OK;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Row i of S = I - omega D^-1 A', whose entries begin at s, as A's begin at k. The diagonal of A'
 * is that of A with the weak entries added, so that the product with the only vector stays. Returns
 * how many entries are strong here and weak there, or the other way round. */
static int fillRow(const coarsener *c, int64_t i, int64_t k, int64_t s) {
  const clTriplets *A = c->A, *S = c->out->S;
  const double *v = c->near->v;
  double own = c->diagonal[i], d = own, lumped = own;
  if (own == 0)
    d = 1;
  int64_t diagonal = s;
  int turned = 0;
  for (; S->col[diagonal] != i; diagonal++)
    ;
  for (; k < A->count && A->row[k] == i; k++) {
    if (A->col[k] == i)
      continue;
    s += s == diagonal;
    bool strong = s < S->count && S->row[s] == i && S->col[s] == A->col[k];
    turned += strong != isStrong(c, k);
    if (strong)
      S->value[s++] = -c->omega * A->value[k] / d;
    else if (v[i] != 0)
      lumped += A->value[k] * v[A->col[k]] / v[i];
  }
  /* Lumping must not make the diagonal vanish. */
  if (!(fabs(lumped) > 0.1 * fabs(own)))
    lumped = own;
  S->value[diagonal] = 1 - c->omega * lumped / d;
  return turned;
}

static void fillRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const coarsener *c = user;
  const clTriplets *A = c->A, *S = c->out->S;
  int64_t k = txTripletsRow(A, (int32_t)first), s = txTripletsRow(S, (int32_t)first);
  for (int64_t i = first; i < last; i++) {
    sum[0] += fillRow(c, i, k, s);
    while (k < A->count && A->row[k] == i)
      k++;
    while (s < S->count && S->row[s] == i)
      s++;
  }
}

static void fillTentative(const coarsener *c) {
  const clTriplets *T = c->out->T;
  const int32_t *first = c->out->first, *of = c->out->aggregates.of;
  for (int64_t k = 0; k < T->count; k++) {
    int64_t i = T->row[k];
    T->value[k] = c->q[i * c->near->vectors + T->col[k] - first[of[i]]];
  }
}

/* S, T; *turned <- entries that are not any more what they were when S got its positions. */
static void fill(coarsener *c, double *turned) {
  double sum[TX_SUMS];
  txParallel(c->A->rows, fillRows, c, sum);
  fillTentative(c);
  *turned = sum[0];
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

/* Positions first, then values, then the products, whose positions are found with them. */
static clStatus coarsen(coarsener *c, clError *error) {
  txAggregation *out = c->out;
  double turned;
  bool same;
  TRY(listMembers(c, error));
  TRY(represent(c, false, &same, error));
  TRY(placeSmoothing(c, error));
  TRY(placeTentative(c, error));
  TRY(createNear(c, error));
  fill(c, &turned);
  fillNear(c);
  TRY(txTripletsProduct(&out->P, out->S, out->T, error));
  TRY(clTripletsTranspose(&out->R, out->P, error));
  TRY(txTripletsProduct(&out->AP, c->A, out->P, error));
  return txTripletsProduct(&out->A, out->R, out->AP, error);
}

clStatus txAggregate(txAggregation *out, const clTriplets *A, const txNearNull *near, double theta,
                     double largest, clError *error) {
  coarsener c = {.out = out, .A = A, .near = near, .omega = 4 / (3 * largest)};
  *out = (txAggregation){.theta = theta};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(findDiagonal(&c, error));
  TRY_CLEANUP(txAggregatesFind(&out->aggregates, A, c.diagonal, near, theta, error));
  if (out->aggregates.count > 0)
    TRY_CLEANUP(coarsen(&c, error));
cleanup:
  release(&c);
  if (!out->A)
    txAggregationDestroy(out);
  return status;
}

/* Other values of the near null space's Q and R, S and T; *fits <- they suit the aggregates. */
static clStatus refill(coarsener *c, bool *fits, clError *error) {
  double turned;
  TRY(findDiagonal(c, error));
  TRY(represent(c, true, fits, error));
  if (!*fits)
    return TEXLA_OK;
  fill(c, &turned);
  fillNear(c);
  *fits = turned <= TX_TURNED * (double)(c->A->count - c->A->rows);
  return TEXLA_OK;
}

clStatus txAggregationUpdate(txAggregation *out, const clTriplets *A, const txNearNull *near,
                             double largest, bool *fits, clError *error) {
  coarsener c = {.out = out, .A = A, .near = near, .omega = 4 / (3 * largest)};
  clStatus status = refill(&c, fits, error);
  release(&c);
  TRY(status);
  if (!*fits)
    return TEXLA_OK;
  TRY(txTripletsMultiply(out->P, out->S, out->T, error));
  TRY(txTripletsTurn(out->R, out->P, error));
  TRY(txTripletsMultiply(out->AP, A, out->P, error));
  return txTripletsMultiply(out->A, out->R, out->AP, error);
}

void txAggregationDestroy(txAggregation *a) {
  clTriplets *const matrix[] = {a->S, a->T, a->P, a->R, a->AP, a->A};
  for (size_t k = 0; k < sizeof matrix / sizeof *matrix; k++)
    clTripletsDestroy(matrix[k]);
  txNearNullForget(&a->near);
  free(a->aggregates.of);
  free(a->begin);
  free(a->member);
  free(a->first);
  *a = (txAggregation){0};
}
