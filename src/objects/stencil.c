/* Nine-point operators on the host: from a matrix, interpolation, Galerkin product. */
#include "objects/stencil.h"
#include "core/parallel.h"
#include "core/triplets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Places at a boundary that keep a class of their own. A coarse point far from the boundary by as much depends on fine points
 * that are, too, so that classes stay as they are on all grids. */
enum { LOW_TEXELS = 1, HIGH_TEXELS = 2, LOW_ROWS = 4, HIGH_ROWS = 4, LEAST_TEXELS = 8, LEAST_ROWS = 16 };

static clStatus outOfMemory(const char *call, clError *error) {
  return txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for the stencils of a grid");
}

/* A stencil without coefficients. */
static txStencil *makeStencil(int nx, int ny, const bool periodic[2], bool uniform) {
  txStencil *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  int texels = (nx - 1) / 4 + 1;
  s->n[0] = nx;
  s->n[1] = ny;
  s->periodic[0] = periodic[0];
  s->periodic[1] = periodic[1];
  s->uniform = uniform && texels >= LEAST_TEXELS && ny >= LEAST_ROWS;
  s->class[0] = (txClasses){texels, texels, texels};
  s->class[1] = (txClasses){ny, ny, ny};
  if (s->uniform) {
    s->class[0] = (txClasses){texels, LOW_TEXELS, texels - HIGH_TEXELS};
    s->class[1] = (txClasses){ny, LOW_ROWS, ny - HIGH_ROWS};
  }
  s->coarsening[0] = s->coarsening[1] = (txCoarsening){1, 0};
  s->a = calloc((size_t)txStencilPoints(s), TX_STENCIL * sizeof *s->a);
  if (!s->a) {
    txStencilDestroy(s);
    return NULL;
  }
  return s;
}

txStencil *txStencilMake(int nx, int ny, const bool periodic[2]) {
  return makeStencil(nx, ny, periodic, false);
}

void txStencilDestroy(txStencil *s) {
  if (!s)
    return;
  free(s->a);
  free(s->weight);
  free(s);
}

/* The step -1, 0 or 1 from i to k on an axis, 2 when there is none; one across the end makes it periodic. */
static int stepBetween(int i, int k, int n, bool *wraps) {
  int d = k - i;
  *wraps = d > 1 || d < -1;
  if (d == n - 1 && *wraps)
    return -1;
  if (d == 1 - n && *wraps)
    return 1;
  return *wraps ? 2 : d;
}

/* Reads row (i, j) from entry *k on into nine coefficients; false at an entry that no stencil has. */
static bool readRow(double c[TX_STENCIL], bool periodic[2], const clTriplets *A, int64_t *k, int i, int j, int nx,
                    int ny) {
  int32_t row = (int32_t)((int64_t)j * nx + i);
  memset(c, 0, TX_STENCIL * sizeof *c);
  for (; *k < A->count && A->row[*k] == row; ++*k) {
    if (A->value[*k] == 0)
      continue;
    int32_t d = A->col[*k] - row;
    bool wraps[2] = {false, false};
    int dy = d < -1 ? -1 : d > 1 ? 1 : 0, dx = d - dy * nx;
    if (dx < -1 || dx > 1 || i + dx < 0 || i + dx >= nx) { /* rare, and so is the division */
      int q = A->col[*k] / nx;
      dx = stepBetween(i, A->col[*k] - q * nx, nx, &wraps[0]);
      dy = stepBetween(j, q, ny, &wraps[1]);
    }
    if (dx == 2 || dy == 2)
      return false;
    periodic[0] |= wraps[0];
    periodic[1] |= wraps[1];
    c[3 * (dy + 1) + dx + 1] += A->value[*k];
  }
  return true;
}

static bool hasCorner(const float *c) {
  return c[0] != 0 || c[2] != 0 || c[6] != 0 || c[8] != 0;
}

static bool readPoint(float c[TX_STENCIL], bool periodic[2], const clTriplets *A, int64_t *k, int i, int j, int nx,
                      int ny) {
  double sum[TX_STENCIL];
  bool is_stencil = readRow(sum, periodic, A, k, i, j, nx, ny);
  for (int e = 0; e < TX_STENCIL && is_stencil; e++)
    c[e] = (float)sum[e];
  return is_stencil;
}

/* One pass over the matrix. 1: done, 0: points of a class differ, -1: no stencil (at entry *k). */
static int fill(txStencil *s, const txRows *rows, int64_t *k) {
  char *seen = calloc((size_t)txStencilPoints(s), 1);
  int result = seen ? 1 : 0, n = rows->A->rows;
  int repeated = 4 * (s->class[0].low + 2) + 1, last = 4 * s->class[0].high; /* columns whose classes have been seen */
  txRun run = txRunAt(rows, 0, n);
  for (int j = 0, p = 0; j < s->n[1] && result == 1; j++)
    for (int i = 0; i < s->n[0] && result == 1; i++, p++) {
      if (p == run.row + run.count)
        run = txRunNext(rows, &run, n);
      int64_t like_before = run.alike == run.count ? run.row + run.count - p : 0;
      if (i >= repeated && i < last && p > run.row && like_before > 0) {
        int64_t skipped = like_before < last - i ? like_before : last - i;
        i += (int)skipped - 1;
        p += (int)skipped - 1;
        continue;
      }
      float single[TX_STENCIL];
      *k = run.entry + (p - run.row) * run.length;
      if (!readPoint(single, s->periodic, rows->A, k, i, j, s->n[0], s->n[1])) {
        result = -1;
        break;
      }
      int64_t at = txStencilIndex(s, i, j);
      if (!seen[at]) {
        seen[at] = 1;
        memcpy(s->a + TX_STENCIL * at, single, sizeof single);
        s->nine |= hasCorner(single);
      } else if (memcmp(s->a + TX_STENCIL * at, single, sizeof single)) {
        result = 0;
      }
    }
  free(seen);
  return result;
}

/* What the loops below work on. */
typedef struct reading {
  txStencil *s;
  const clTriplets *A;
} reading;

enum { NONE, NINE, ACROSS_X, ACROSS_Y /* points without a stencil, with a corner; entries across an end */ };

/* Points that are all of their own class. */
static void readPoints(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const reading *r = user;
  int nx = r->s->n[0], ny = r->s->n[1];
  int64_t k = txTripletsRow(r->A, (int32_t)first);
  bool periodic[2] = {false, false}, nine = false, all = true;
  for (int64_t p = first; p < last && all; p++) {
    int j = (int)(p / nx), i = (int)(p - (int64_t)j * nx);
    float *c = r->s->a + TX_STENCIL * txStencilIndex(r->s, i, j);
    all = readPoint(c, periodic, r->A, &k, i, j, nx, ny);
    nine |= all && hasCorner(c);
  }
  sum[NONE] += !all;
  sum[NINE] += nine;
  sum[ACROSS_X] += periodic[0];
  sum[ACROSS_Y] += periodic[1];
}

static bool fillAll(txStencil *s, const clTriplets *A) {
  double sum[TX_SUMS];
  txParallel(A->rows, readPoints, &(reading){s, A}, sum);
  s->nine = sum[NINE] > 0;
  s->periodic[0] = sum[ACROSS_X] > 0;
  s->periodic[1] = sum[ACROSS_Y] > 0;
  return sum[NONE] == 0;
}

/* All stored points of the interior are the same. */
static bool interiorAgrees(const txStencil *s) {
  int i = 4 * s->class[0].low, j = s->class[1].low;
  const float *c = s->a + TX_STENCIL * txStencilIndex(s, i, j);
  for (int y = 0; y < 2; y++)
    for (int x = 0; x < 8; x++)
      if (memcmp(c, s->a + TX_STENCIL * txStencilIndex(s, i + x, j + y), TX_STENCIL * sizeof *c))
        return false;
  return true;
}

clStatus txStencilCreate(txStencil **out, const txRows *rows, int nx, int ny, bool general, const char *call,
                         clError *error) {
  const clTriplets *A = rows->A;
  static const bool bounded[2] = {false, false};
  if (nx < 1 || ny < 1 || A->rows != A->cols || (int64_t)nx * ny != A->rows)
    return txFail(error, TEXLA_BAD_SHAPE, call, "A is %d x %d, but a grid of %d x %d has %lld points", A->rows, A->cols,
                  nx, ny, (long long)nx * ny);
  for (int uniform = !general; uniform >= 0; uniform--) {
    txStencil *s = makeStencil(nx, ny, bounded, uniform);
    if (!s)
      return outOfMemory(call, error);
    int64_t k = 0;
    int result = uniform && !s->uniform ? 0 : !uniform && fillAll(s, A) ? 1 : fill(s, rows, &k);
    if (result == 1 && (!s->uniform || interiorAgrees(s))) {
      *out = s;
      return TEXLA_OK;
    }
    txStencilDestroy(s);
    if (result < 0)
      return txFail(error, TEXLA_BAD_SHAPE, call,
                    "the entry at (%d, %d) couples points of the %d x %d grid that are no neighbours", A->row[k],
                    A->col[k], nx, ny);
  }
  return outOfMemory(call, error);
}

int txStencilCoarse(const txStencil *s, int axis) {
  const txCoarsening *c = &s->coarsening[axis];
  return (s->n[axis] - 1 - c->first) / c->stride + 1;
}

void txStencilCoupling(const txStencil *s, double mean[2]) {
  mean[0] = mean[1] = 0;
  for (int64_t p = 0; p < txStencilPoints(s); p++) {
    const float *c = s->a + TX_STENCIL * p;
    double scale = c[TX_CENTRE] != 0 ? fabs((double)c[TX_CENTRE]) : 1;
    mean[0] += fabs((double)(c[0] + c[3] + c[6]) + (double)(c[2] + c[5] + c[8])) / scale;
    mean[1] += fabs((double)(c[0] + c[1] + c[2]) + (double)(c[6] + c[7] + c[8])) / scale;
  }
}

bool txCoarseningChoose(txCoarsening out[2], const int n[2], const bool periodic[2], const double mean[2], bool full) {
  const double strong = 2.5; /* each halving of an axis makes its coupling four times weaker */
  for (int axis = 0; axis < 2; axis++) {
    int other = 1 - axis;
    bool weak = !full && mean[axis] * strong < mean[other] && n[other] > 1;
    bool odd_ring = periodic[axis] && n[axis] % 2; /* its ends are neighbours: keep both */
    out[axis] = n[axis] == 1 || weak ? (txCoarsening){1, 0} : (txCoarsening){2, !odd_ring};
  }
  return out[0].stride * out[1].stride > 1;
}

bool txStencilChooseCoarsening(txStencil *s, bool full) {
  double mean[2];
  txStencilCoupling(s, mean);
  return txCoarseningChoose(s->coarsening, s->n, s->periodic, mean, full);
}

void txStencilParents(const txStencil *s, int axis, int i, int *low, int *high) {
  const txCoarsening *c = &s->coarsening[axis];
  int coarse = txStencilCoarse(s, axis), t = i - c->first;
  if (c->stride == 1 || t % 2 == 0) {
    *low = t / c->stride;
    *high = -1;
    return;
  }
  *low = (t + 1) / 2 - 1;
  *high = *low + 1;
  if (*low < 0)
    *low = s->periodic[axis] ? coarse - 1 : -1;
  if (*high >= coarse)
    *high = s->periodic[axis] ? 0 : -1;
}

/* The neighbour of i at d on an axis, -1 beyond the boundary. */
static int neighbour(const txStencil *s, int axis, int i, int d) {
  int n = s->n[axis], k = i + d;
  if (k >= 0 && k < n)
    return k;
  return s->periodic[axis] ? (k + n) % n : -1;
}

static double rowSum(const txStencil *s, int i, int j) {
  const float *c = s->a + TX_STENCIL * txStencilIndex(s, i, j);
  double sum = 0;
  for (int k = 0; k < TX_STENCIL; k++)
    sum += (double)c[k];
  return sum;
}

/* No coupling worth mentioning. */
static bool isAlone(const float *c) {
  double sum = -fabs((double)c[TX_CENTRE]);
  for (int k = 0; k < TX_STENCIL; k++)
    sum += fabs((double)c[k]);
  return sum <= 1e-6 * fabs((double)c[TX_CENTRE]);
}

/* A point between two coarse ones on `axis`: the row's other direction is lumped, and the weights sum to one. Where one
 * parent would lie beyond the boundary, the row's sum, as far as it exceeds that of the next row inwards, couples with a
 * zero there. */
static void lineWeights(const txStencil *s, int axis, int i, int j, double *low, double *high) {
  const float *c = s->a + TX_STENCIL * txStencilIndex(s, i, j);
  int along = axis ? 3 : 1, across = axis ? 1 : 3, parent[2];
  double side[2], beyond = 0;
  txStencilParents(s, axis, axis ? j : i, &parent[0], &parent[1]);
  for (int d = 0; d < 2; d++) {
    int k = TX_CENTRE + (d ? along : -along), inwards = d ? -1 : 1;
    side[d] = fmax(-((double)c[k - across] + (double)c[k] + (double)c[k + across]), 0);
    if (parent[d] < 0)
      beyond = fmax(rowSum(s, i, j) - rowSum(s, axis ? i : i + inwards, axis ? j + inwards : j), 0);
  }
  double tiny = 1e-6 * fabs((double)c[TX_CENTRE]);
  if (side[0] + side[1] <= tiny) { /* stretched cells: the row says nothing, unless it is alone */
    side[0] = side[1] = isAlone(c) ? 0 : 1;
    beyond = parent[0] < 0 || parent[1] < 0 ? 1 : 0;
  }
  for (int d = 0; d < 2; d++)
    side[d] = parent[d] < 0 ? 0 : side[d];
  double total = side[0] + side[1] + beyond;
  *low = total > 0 ? side[0] / total : 0;
  *high = total > 0 ? side[1] / total : 0;
}

static bool between(const txStencil *s, int axis, int i) {
  return s->coarsening[axis].stride > 1 && (i - s->coarsening[axis].first) % 2 != 0;
}

/* A point amid four coarse ones: its row, with the four neighbours on lines replaced by their interpolation. */
static void centreWeights(const txStencil *s, int i, int j, double w[4]) {
  const float *c = s->a + TX_STENCIL * txStencilIndex(s, i, j);
  static const int corner[4] = {0, 2, 6, 8};
  double total = 0;
  bool all = true;
  for (int p = 0; p < 4; p++)
    w[p] = -(double)c[corner[p]];
  for (int side = 0; side < 2; side++) {
    double low = 0, high = 0;
    int x = neighbour(s, 0, i, side ? 1 : -1), y = neighbour(s, 1, j, side ? 1 : -1);
    if (x >= 0)
      lineWeights(s, 1, x, j, &low, &high);
    w[side] -= (double)c[side ? 5 : 3] * low;
    w[2 + side] -= (double)c[side ? 5 : 3] * high;
    low = high = 0;
    if (y >= 0)
      lineWeights(s, 0, i, y, &low, &high);
    w[2 * side] -= (double)c[side ? 7 : 1] * low;
    w[2 * side + 1] -= (double)c[side ? 7 : 1] * high;
    all &= x >= 0 && y >= 0;
  }
  for (int p = 0; p < 4; p++)
    total += w[p] = fmax(w[p], 0);
  double scale = all ? total : fmax((double)c[TX_CENTRE], total), tiny = 1e-6 * fabs((double)c[TX_CENTRE]);
  for (int p = 0; p < 4; p++)
    w[p] = total > tiny ? w[p] / scale : isAlone(c) ? 0 : 0.25;
}

static void operatorWeights(const txStencil *s, int i, int j, double w[4]) {
  bool x = between(s, 0, i), y = between(s, 1, j);
  w[0] = 1;
  w[1] = w[2] = w[3] = 0;
  if (x && y)
    centreWeights(s, i, j, w);
  else if (x)
    lineWeights(s, 0, i, j, &w[0], &w[1]);
  else if (y)
    lineWeights(s, 1, i, j, &w[0], &w[2]);
}

/* Weights of the parents of i on one axis. */
static void halves(const txStencil *s, int axis, int i, double w[2]) {
  int parent[2];
  txStencilParents(s, axis, i, &parent[0], &parent[1]);
  w[0] = 1;
  w[1] = 0;
  if (!between(s, axis, i))
    return;
  for (int side = 0; side < 2; side++)
    w[side] = parent[side] < 0 ? 0 : parent[1 - side] < 0 && s->beyond[axis][1 - side] ? 1 : 0.5;
}

static void bilinearWeights(const txStencil *s, int i, int j, double w[4]) {
  double x[2], y[2];
  halves(s, 0, i, x);
  halves(s, 1, j, y);
  for (int p = 0; p < 4; p++)
    w[p] = x[p & 1] * y[p >> 1];
}

/* What lies beyond a boundary, seen from the middle of that side: zero or the same again? */
static void lookBeyond(txStencil *s) {
  for (int axis = 0; axis < 2; axis++)
    for (int side = 0; side < 2; side++) {
      int at[2] = {s->n[0] / 2, s->n[1] / 2};
      double w[2];
      at[axis] = side ? s->n[axis] - 1 : 0;
      s->beyond[axis][side] = false;
      if (!between(s, axis, at[axis]))
        continue;
      lineWeights(s, axis, at[0], at[1], &w[0], &w[1]);
      s->beyond[axis][side] = w[0] + w[1] > 0.75;
    }
}

/* The place of stored point p; false: there is none. */
static bool placeOf(const txStencil *s, int64_t p, int *i, int *j) {
  int64_t width = 4 * (int64_t)txClassCount(&s->class[0]), column = p % width;
  *i = 4 * txClassPlace(&s->class[0], (int)(column >> 2)) + (int)(column & 3);
  *j = txClassPlace(&s->class[1], (int)(p / width));
  return *i < s->n[0];
}

typedef struct interpolation {
  txStencil *s;
  txInterpolation kind;
} interpolation;

static void interpolatePoints(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const interpolation *l = user;
  (void)sum;
  for (int64_t at = first; at < last; at++) {
    int i, j;
    double w[4];
    if (!placeOf(l->s, at, &i, &j))
      continue;
    if (l->kind == TX_INTERPOLATE_OPERATOR)
      operatorWeights(l->s, i, j, w);
    else
      bilinearWeights(l->s, i, j, w);
    for (int p = 0; p < 4; p++)
      l->s->weight[4 * at + p] = (float)w[p];
  }
}

clStatus txStencilInterpolate(txStencil *s, txInterpolation kind, const char *call, clError *error) {
  s->weight = calloc((size_t)txStencilPoints(s), 4 * sizeof *s->weight);
  if (!s->weight)
    return outOfMemory(call, error);
  lookBeyond(s);
  txParallel(txStencilPoints(s), interpolatePoints, &(interpolation){s, kind}, NULL);
  return TEXLA_OK;
}

clStatus txStencilProlongation(clTriplets **out, const txStencil *s, clError *error) {
  int nx = txStencilCoarse(s, 0), ny = txStencilCoarse(s, 1);
  clTriplets *P = NULL;
  clStatus status = clTripletsCreate(&P, s->n[0] * s->n[1], nx * ny, 4 * (int64_t)s->n[0] * s->n[1], error);
  for (int32_t row = 0; !status && row < P->rows; row++) {
    int j = row / s->n[0], i = row - j * s->n[0], px[2], py[2];
    const float *w = s->weight + 4 * txStencilIndex(s, i, j);
    txStencilParents(s, 0, i, &px[0], &px[1]);
    txStencilParents(s, 1, j, &py[0], &py[1]);
    for (int p = 0; p < 4 && !status; p++)
      if (w[p] != 0)
        status = clTripletsAdd(P, row, py[p >> 1] * nx + px[p & 1], (double)w[p], error);
  }
  if (!status)
    status = clTripletsCompress(P, error);
  if (status)
    clTripletsDestroy(P);
  else
    *out = P;
  return status;
}

/* The step between coarse neighbours, which may lie across the end. */
static int coarseStep(const txStencil *s, int axis, int from, int to) {
  int d = to - from, n = txStencilCoarse(s, axis);
  return d > 1 ? d - n : d < -1 ? d + n : d;
}

/* c += factor * (the row of A at fine (i, j)) P, as a stencil around coarse (I, J) */
static void addRow(double c[TX_STENCIL], const txStencil *s, double factor, int i, int j, int I, int J) {
  const float *a = s->a + TX_STENCIL * txStencilIndex(s, i, j);
  for (int k = 0; k < TX_STENCIL; k++) {
    int x = neighbour(s, 0, i, k % 3 - 1), y = neighbour(s, 1, j, k / 3 - 1), px[2], py[2];
    if (a[k] == 0 || x < 0 || y < 0)
      continue;
    const float *w = s->weight + 4 * txStencilIndex(s, x, y);
    txStencilParents(s, 0, x, &px[0], &px[1]);
    txStencilParents(s, 1, y, &py[0], &py[1]);
    for (int p = 0; p < 4; p++)
      if (w[p] != 0)
        c[3 * (coarseStep(s, 1, J, py[p >> 1]) + 1) + coarseStep(s, 0, I, px[p & 1]) + 1] +=
            factor * (double)a[k] * (double)w[p];
  }
}

/* c <- row (I, J) of P^T A P */
static void galerkinRow(double c[TX_STENCIL], const txStencil *s, int I, int J) {
  memset(c, 0, TX_STENCIL * sizeof *c);
  int reach[2], centre[2] = {s->coarsening[0].stride * I + s->coarsening[0].first,
                             s->coarsening[1].stride * J + s->coarsening[1].first};
  for (int axis = 0; axis < 2; axis++)
    reach[axis] = s->coarsening[axis].stride - 1;
  for (int dy = -reach[1]; dy <= reach[1]; dy++)
    for (int dx = -reach[0]; dx <= reach[0]; dx++) {
      int i = neighbour(s, 0, centre[0], dx), j = neighbour(s, 1, centre[1], dy);
      if (i < 0 || j < 0 || (dx && !between(s, 0, i)) || (dy && !between(s, 1, j)))
        continue;
      int p = (dx < 0) + 2 * (dy < 0); /* seen from a point on the low side this is its high parent */
      double w = (double)s->weight[4 * txStencilIndex(s, i, j) + p];
      if (w != 0)
        addRow(c, s, w, i, j, I, J);
    }
}

typedef struct product {
  const txStencil *s;
  txStencil *coarse;
} product;

static void coarsenPoints(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const product *l = user;
  for (int64_t at = first; at < last; at++) {
    int I, J;
    double c[TX_STENCIL];
    if (!placeOf(l->coarse, at, &I, &J))
      continue;
    galerkinRow(c, l->s, I, J);
    float *to = l->coarse->a + TX_STENCIL * at;
    for (int k = 0; k < TX_STENCIL; k++)
      to[k] = (float)c[k];
    sum[NINE] += hasCorner(to);
  }
}

clStatus txStencilCoarsen(txStencil **out, const txStencil *s, const char *call, clError *error) {
  txStencil *coarse = makeStencil(txStencilCoarse(s, 0), txStencilCoarse(s, 1), s->periodic, s->uniform);
  if (!coarse)
    return outOfMemory(call, error);
  double sum[TX_SUMS];
  txParallel(txStencilPoints(coarse), coarsenPoints, &(product){s, coarse}, sum);
  coarse->nine = sum[NINE] > 0;
  *out = coarse;
  return TEXLA_OK;
}

double txStencilBound(const txStencil *s) {
  double bound = 0;
  for (int64_t p = 0; p < txStencilPoints(s); p++) {
    const float *c = s->a + TX_STENCIL * p;
    double sum = 0;
    for (int k = 0; k < TX_STENCIL; k++)
      sum += fabs((double)c[k]);
    if (c[TX_CENTRE] != 0)
      bound = fmax(bound, sum / fabs((double)c[TX_CENTRE]));
  }
  return bound;
}

/* max over theta of |sum_k a_k e^(i theta . d_k)| / a_centre */
static double largestSymbol(const float *a) {
  enum { ANGLES = 8 };
  const double pi = 3.14159265358979323846;
  double largest = 0;
  for (int p = 0; p <= ANGLES; p++)
    for (int q = -ANGLES; q <= ANGLES; q++) {
      double re = 0, im = 0;
      for (int k = 0; k < TX_STENCIL; k++) {
        double angle = (q * (k % 3 - 1) + p * (k / 3 - 1)) * pi / ANGLES;
        re += (double)a[k] * cos(angle);
        im += (double)a[k] * sin(angle);
      }
      largest = fmax(largest, hypot(re, im));
    }
  return a[TX_CENTRE] != 0 ? largest / fabs((double)a[TX_CENTRE]) : 0;
}

/* y <- D^-1 A x; returns the largest |y_i|. */
static double applyScaled(float *y, const txStencil *s, const float *x) {
  double largest = 0;
  for (int j = 0; j < s->n[1]; j++)
    for (int i = 0; i < s->n[0]; i++) {
      const float *a = s->a + TX_STENCIL * txStencilIndex(s, i, j);
      double sum = 0;
      for (int k = 0; k < TX_STENCIL; k++) {
        int u = a[k] != 0 ? neighbour(s, 0, i, k % 3 - 1) : -1, v = neighbour(s, 1, j, k / 3 - 1);
        if (u >= 0 && v >= 0)
          sum += (double)a[k] * (double)x[(int64_t)v * s->n[0] + u];
      }
      sum = a[TX_CENTRE] != 0 ? sum / (double)a[TX_CENTRE] : 0;
      y[(int64_t)j * s->n[0] + i] = (float)sum;
      largest = fmax(largest, fabs(sum));
    }
  return largest;
}

/* The norm grows towards the largest eigenvalue from below. */
static double powerIteration(const txStencil *s) {
  enum { STEPS = 8 };
  int64_t n = (int64_t)s->n[0] * s->n[1];
  float *x = malloc((size_t)(2 * n) * sizeof *x), *y = x + n;
  double ratio = 0, norm[2] = {0, 0};
  uint32_t seed = 1;
  if (!x)
    return txStencilBound(s);
  for (int64_t p = 0; p < n; p++) /* rough: that is where the large eigenvalues are */
    x[p] = (float)((int32_t)(seed = seed * 1664525u + 1013904223u) >> 8);
  for (int step = 0; step < STEPS; step++) {
    double scale = applyScaled(y, s, x);
    norm[0] = norm[1] = 0;
    for (int64_t p = 0; p < n; p++) {
      norm[0] += (double)x[p] * (double)x[p];
      norm[1] += (double)y[p] * (double)y[p];
      x[p] = scale > 0 ? (float)((double)y[p] / scale) : 0;
    }
    ratio = norm[0] > 0 ? sqrt(norm[1] / norm[0]) : 0;
  }
  free(x);
  return ratio;
}

double txStencilLargest(const txStencil *s) {
  double bound = txStencilBound(s);
  if (s->uniform)
    return largestSymbol(s->a + TX_STENCIL * txStencilIndex(s, 4 * s->class[0].low, s->class[1].low));
  return s->nine ? fmin(bound, 1.1 * powerIteration(s)) : bound;
}

int64_t txStencilZeroDiagonal(const txStencil *s) {
  int i, j;
  for (int64_t p = 0; p < txStencilPoints(s); p++)
    if (s->a[TX_STENCIL * p + TX_CENTRE] == 0 && placeOf(s, p, &i, &j))
      return (int64_t)j * s->n[0] + i;
  return -1;
}

bool txStencilSingular(const txStencil *s) {
  const double tolerance = 1e-6; /* the coefficients are single */
  for (int64_t p = 0; p < txStencilPoints(s); p++) {
    const float *c = s->a + TX_STENCIL * p;
    double sum = 0, size = 0;
    for (int k = 0; k < TX_STENCIL; k++) {
      sum += (double)c[k];
      size += fabs((double)c[k]);
    }
    if (fabs(sum) > tolerance * size)
      return false;
  }
  return true;
}

void txStencilDense(double *out, const txStencil *s) {
  int64_t n = (int64_t)s->n[0] * s->n[1];
  memset(out, 0, (size_t)(n * n) * sizeof *out);
  for (int j = 0; j < s->n[1]; j++)
    for (int i = 0; i < s->n[0]; i++)
      for (int k = 0; k < TX_STENCIL; k++) {
        int x = neighbour(s, 0, i, k % 3 - 1), y = neighbour(s, 1, j, k / 3 - 1);
        if (x >= 0 && y >= 0)
          out[((int64_t)j * s->n[0] + i) * n + (int64_t)y * s->n[0] + x] +=
              (double)s->a[TX_STENCIL * txStencilIndex(s, i, j) + k];
      }
}
