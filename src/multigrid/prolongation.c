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

/* The work of one coarsening. Row i of A begins at start[i]. With `again` aggregates have to
 * have as many coarse unknowns as they had. */
typedef struct coarsener {
  txAggregation *out;
  const clTriplets *A;
  const int64_t *start;
  bool again;
  const txNearNull *near;
  double omega;
  /* of the scratch (multigrid/aggregation.h) */
  double *diagonal, *q, *r;
} coarsener;

static void *prolongationAllocate(clError *error, int64_t count, size_t size) {
  return txAllocate(error, call, (size_t)count, size, "coarsening a matrix");
}

/* Room for what every setup writes, but for what is not always needed. */
static clStatus makeScratch(const coarsener *c, clError *error) {
  txScratch *scratch = &c->out->scratch;
  scratch->diagonal = prolongationAllocate(error, c->A->rows, sizeof *scratch->diagonal);
  scratch->q =
      prolongationAllocate(error, (int64_t)c->A->rows * c->near->vectors, sizeof *scratch->q);
  scratch->mixed = prolongationAllocate(error, c->A->rows, sizeof *scratch->mixed);
  scratch->smoothed = prolongationAllocate(error, c->A->rows, sizeof *scratch->smoothed);
  if (!scratch->diagonal || !scratch->q || !scratch->mixed || !scratch->smoothed)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* What a look at A's rows needs and finds; rows begin at `start`. */
typedef struct looking {
  const clTriplets *A;
  const int64_t *start;
  txScratch *scratch;
  double largest;
} looking;

enum {
  BEYOND,
  OTHER /* rows that are counted: in Gershgorin's sense, and unlike what they were */
};

/* Weights without a pattern, so that changes in a row do not cancel: multiples of the golden
 * ratio. */
static double prolongationWeightOf(int32_t j) {
  return 0x1p-31 * (int32_t)((uint32_t)j * 0x9e3779b1u);
}

static void prolongationLookAtRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const looking *l = user;
  const clTriplets *A = l->A;
  for (int64_t i = first; i < last; i++) {
    double diagonal = 0, all = 0, mixed = 0;
    for (int64_t k = l->start[i], end = l->start[i + 1]; k < end; k++) {
      double value = A->value[k];
      all += fabs(value);
      mixed += prolongationWeightOf(A->col[k]) * value;
      if (A->col[k] == i)
        diagonal = value;
    }
    l->scratch->diagonal[i] = diagonal;
    l->scratch->mixed[i] = (float)(mixed / diagonal);
    sum[BEYOND] += !(all <= l->largest * fabs(diagonal));
    sum[OTHER] += !(fabsf(l->scratch->mixed[i] - l->scratch->smoothed[i]) <= (float)TX_ALIKE);
  }
}

void txAggregationLook(txAggregation *a, const clTriplets *A, double largest, bool *bounded) {
  double sum[TX_SUMS];
  txParallel(A->rows, prolongationLookAtRows, &(looking){A, a->at.finer, &a->scratch, largest},
             sum);
  a->stays = sum[OTHER] == 0;
  *bounded = a->stays || sum[BEYOND] == 0;
}

static void takeScratch(coarsener *c) {
  const txScratch *scratch = &c->out->scratch;
  c->start = c->out->at.finer;
  c->diagonal = scratch->diagonal;
  c->q = scratch->q;
  c->r = scratch->r;
}

/* Where A's rows begin, and the first look at them. */
static clStatus prolongationFindRows(coarsener *c, clError *error) {
  txAggregation *out = c->out;
  bool bounded;
  out->at.finer = txTripletsRowStarts(c->A, error);
  if (!out->at.finer)
    return TEXLA_OUT_OF_MEMORY;
  TRY(makeScratch(c, error));
  txAggregationLook(out, c->A, 0, &bounded);
  takeScratch(c);
  return TEXLA_OK;
}

/* The unknowns of each aggregate, by counting sort. */
static clStatus listMembers(const coarsener *c, clError *error) {
  txAggregation *out = c->out;
  const int32_t *of = out->aggregates.of, count = out->aggregates.count;
  out->begin = prolongationAllocate(error, (int64_t)count + 2, sizeof *out->begin);
  out->member = prolongationAllocate(error, c->A->rows, sizeof *out->member);
  out->first = prolongationAllocate(error, (int64_t)count + 1, sizeof *out->first);
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
 * other[0]: how many have not the number that they had, which first[a + 1] holds until all are
 * known. */
static void prolongationOrthogonalize(void *user, int64_t from, int64_t to, double other[TX_SUMS]) {
  const coarsener *c = user;
  int32_t *first = c->out->first, *begin = c->out->begin;
  const int64_t square = (int64_t)c->near->vectors * c->near->vectors;
  for (int32_t a = (int32_t)from; a < to; a++) {
    int rank = 0, most = begin[a + 1] - begin[a];
    memset(c->r + a * square, 0, (size_t)square * sizeof *c->r);
    for (int k = 0; k < c->near->vectors && rank < most; k++)
      rank = addColumn(c, a, k, rank);
    if (c->again)
      other[0] += first[a + 1] - first[a] != rank;
    else
      first[a + 1] = rank;
  }
}

/* Q and R of the near null space on the aggregates that are there; *same <- has each as many coarse
 * unknowns as before? */
static clStatus represent(coarsener *c, bool *same, clError *error) {
  int64_t vectors = c->near->vectors;
  int32_t *first = c->out->first, count = c->out->aggregates.count;
  double other[TX_SUMS];
  txScratch *scratch = &c->out->scratch;
  if (!scratch->r)
    scratch->r = prolongationAllocate(error, count * vectors * vectors, sizeof *scratch->r);
  c->r = scratch->r;
  if (!c->r)
    return TEXLA_OUT_OF_MEMORY;
  txParallel(count, prolongationOrthogonalize, c, other);
  *same = other[0] == 0;
  for (int32_t a = 0; a < count && !c->again; a++)
    first[a + 1] += first[a];
  return TEXLA_OK;
}

/* ---- The prolongation ------------------------------------------------------------------------ */

/* Adds a number times row j of T, which has all coarse unknowns of j's aggregate. */
static inline void addTentative(const coarsener *c, int32_t j, double factor, txRowSum *sum) {
  int32_t a = c->out->aggregates.of[j];
  if (a < 0)
    return;
  const int32_t *first = c->out->first;
  const double *q = c->q + (int64_t)j * c->near->vectors;
  for (int32_t k = first[a]; k < first[a + 1]; k++)
    txRowAdd(sum, k, factor * q[k - first[a]]);
}

/* Row i of P = S T, S = I - omega D^-1 A'. A' has the strong entries of A; its diagonal is that
 * of A with the weak ones added, so that the product with the only vector stays. */
static void addSmoothedRow(const void *user, int64_t i, txRowSum *sum) {
  const coarsener *c = user;
  const clTriplets *A = c->A;
  const unsigned char *strong = c->out->strong;
  const double *v = c->near->v;
  double own = c->diagonal[i], d = own, lumped = own;
  if (own == 0)
    d = 1;
  const double factor = -c->omega / d;
  for (int64_t k = c->start[i], end = c->start[i + 1]; k < end; k++) {
    int32_t j = A->col[k];
    if (j == i)
      continue;
    if (!strong || strong[k])
      addTentative(c, j, factor * A->value[k], sum);
    else if (v[i] != 0)
      lumped += A->value[k] * v[j] / v[i];
  }
  /* Lumping must not make the diagonal vanish. */
  if (!(fabs(lumped) > 0.1 * fabs(own)))
    lumped = own;
  addTentative(c, (int32_t)i, 1 + factor * lumped, sum);
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
  near->v = prolongationAllocate(error, (int64_t)first[count] * near->vectors, sizeof *near->v);
  if (!near->v)
    return TEXLA_OUT_OF_MEMORY;
  if (near->vectors == 1)
    return TEXLA_OK;
  near->first = prolongationAllocate(error, (int64_t)count + 1, sizeof *near->first);
  if (!near->first)
    return TEXLA_OUT_OF_MEMORY;
  near->nodes = count;
  memcpy(near->first, first, ((size_t)count + 1) * sizeof *first);
  return TEXLA_OK;
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* Entries that are strong now. */
static clStatus findStrong(const coarsener *c, clError *error) {
  unsigned char **strong = &c->out->scratch.strong;
  if (!*strong)
    *strong = prolongationAllocate(error, c->A->count, sizeof **strong);
  if (!*strong)
    return TEXLA_OUT_OF_MEMORY;
  return txStrongFind(*strong, c->A, c->start, c->diagonal, c->near, c->out->theta, error);
}

/* With several vectors P smooths at all entries. */
static clStatus findAggregates(coarsener *c, clError *error) {
  txAggregation *out = c->out;
  TRY(findStrong(c, error));
  TRY(txAggregatesFind(&out->aggregates, c->A, c->start, out->scratch.strong, c->near, error));
  if (c->near->vectors > 1)
    return TEXLA_OK;
  out->strong = out->scratch.strong;
  out->scratch.strong = NULL;
  return TEXLA_OK;
}

/* P is smoothed by the values that were looked at last. */
static void keepSmoothed(txAggregation *out) {
  float *before = out->scratch.smoothed;
  out->scratch.smoothed = out->scratch.mixed;
  out->scratch.mixed = before;
  out->stays = false;
}

static clStatus prolongationCoarsen(coarsener *c, clError *error) {
  txAggregation *out = c->out;
  bool same;
  TRY(listMembers(c, error));
  TRY(represent(c, &same, error));
  TRY(createNear(c, error));
  fillNear(c);
  txPlaces *at = &out->at;
  int32_t coarse = out->first[out->aggregates.count];
  TRY(txTripletsBuild(&out->P, &at->P, c->A->rows, coarse, addSmoothedRow, c, error));
  TRY(txTripletsTurn(&out->R, &at->R, &at->turned, out->P, at->P, error));
  keepSmoothed(out);
  const txProduct AP = {c->A, out->P, at->finer, at->P};
  TRY(txProductBuild(&out->AP, &at->AP, &AP, error));
  const txProduct RAP = {out->R, out->AP, at->R, at->AP};
  return txProductBuild(&out->A, &at->A, &RAP, error);
}

clStatus txAggregate(txAggregation *out, const clTriplets *A, const txNearNull *near, double theta,
                     double largest, clError *error) {
  coarsener c = {.out = out, .A = A, .near = near, .omega = 4 / (3 * largest)};
  *out = (txAggregation){.theta = theta};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(prolongationFindRows(&c, error));
  TRY_CLEANUP(findAggregates(&c, error));
  if (out->aggregates.count > 0)
    TRY_CLEANUP(prolongationCoarsen(&c, error));
cleanup:
  if (!out->A)
    txAggregationDestroy(out);
  return status;
}

typedef struct comparing {
  const unsigned char *has, *had;
} comparing;

static void countTurned(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const comparing *c = user;
  int64_t turned = 0;
  for (int64_t k = first; k < last; k++)
    turned += c->has[k] != c->had[k];
  sum[0] += (double)turned;
}

/* Do about the same entries couple strongly as when P got its positions? */
static clStatus checkStrong(const coarsener *c, bool *fits, clError *error) {
  double turned[TX_SUMS];
  if (!c->out->strong)
    return TEXLA_OK;
  TRY(findStrong(c, error));
  const comparing both = {c->out->scratch.strong, c->out->strong};
  txParallel(c->A->count, countTurned, (void *)(uintptr_t)&both, turned);
  *fits = turned[0] <= TX_TURNED * (double)(c->A->count - c->A->rows);
  return TEXLA_OK;
}

/* The near null space on the aggregates that are there, and what of P and R is new with these
 * values. */
static clStatus smoothAgain(coarsener *c, bool *fits, clError *error) {
  txAggregation *out = c->out;
  if (!c->near->same)
    TRY(represent(c, fits, error));
  if (*fits)
    TRY(checkStrong(c, fits, error));
  if (!*fits)
    return TEXLA_OK;
  if (!c->near->same)
    fillNear(c);
  TRY(txTripletsRefill(out->P, out->at.P, addSmoothedRow, c, error));
  txTripletsTurnAgain(out->R, out->at.turned, out->P);
  keepSmoothed(out);
  return TEXLA_OK;
}

static clStatus prolongationUpdate(coarsener *c, bool *fits, clError *error) {
  txAggregation *out = c->out;
  const txPlaces *at = &out->at;
  *fits = true;
  out->near.same = c->near->same;
  out->stays = out->stays && c->near->same;
  if (!out->stays)
    TRY(smoothAgain(c, fits, error));
  if (!*fits)
    return TEXLA_OK;
  const txProduct AP = {c->A, out->P, at->finer, at->P}, RAP = {out->R, out->AP, at->R, at->AP};
  TRY(txProductRefill(out->AP, at->AP, &AP, error));
  return txProductRefill(out->A, at->A, &RAP, error);
}

clStatus txAggregationUpdate(txAggregation *out, const clTriplets *A, const txNearNull *near,
                             double largest, bool *fits, clError *error) {
  coarsener c = {.out = out, .A = A, .again = true, .near = near, .omega = 4 / (3 * largest)};
  takeScratch(&c);
  return prolongationUpdate(&c, fits, error);
}

void txAggregationDestroy(txAggregation *a) {
  clTriplets *const matrix[] = {a->P, a->R, a->AP, a->A};
  for (size_t k = 0; k < sizeof matrix / sizeof *matrix; k++)
    clTripletsDestroy(matrix[k]);
  txPlaces *at = &a->at;
  int64_t *const places[] = {at->finer, at->P, at->R, at->AP, at->A, at->turned};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++)
    free(places[k]);
  free(a->scratch.diagonal);
  free(a->scratch.q);
  free(a->scratch.r);
  free(a->scratch.mixed);
  free(a->scratch.smoothed);
  free(a->scratch.strong);
  txNearNullForget(&a->near);
  free(a->aggregates.of);
  free(a->begin);
  free(a->member);
  free(a->first);
  free(a->strong);
  *a = (txAggregation){0};
}
