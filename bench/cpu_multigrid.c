/* A level has the points 0 .. n-1 on each axis, 1 apart, in units of its own; the boundary is at -1
 * and at n - 1 + d, 0 < d <= 1. On an axis the last row is that of unequal distances, -2 / (1 + d)
 * and 2 / d, the others are -1 2 -1. Coarse points are the fine ones 1, 3, 5, ...; interpolation is
 * bilinear, restriction its transpose divided by the areas. */
#include "core/compiler.h"
#include "cpu_multigrid.h"

#include <stdlib.h>
#include <string.h>

/* SMALL: the side below which one thread does it */
enum { MOST_LEVELS = 32, SMALL = 128 };
static const float damping = 0.8f;

typedef struct Level {
  /* rows have a zero on either side, so that no neighbour is missing; so have grids */
  int64_t n, stride;
  float d;
  float *x, *y, *b, *memory;
} Level;

struct txCpuMultigrid {
  Level level[MOST_LEVELS];
  int levels;
  /* stride as the finest */
  double *x;
};

/* A row of the grid: its neighbour above counts `north`, the vertical part of the diagonal is
 * `diagonal`. */
typedef struct Row {
  int64_t at;
  float north, diagonal;
} Row;

/* Row j of a level; the last one has the shorter distance to the boundary. */
static Row rowOf(const Level *l, int64_t j) {
  Row row = {(j + 1) * l->stride + 1, 1, 2};
  if (j == l->n - 1)
    row.north = 2 / (1 + l->d), row.diagonal = 2 / l->d;
  return row;
}

/* y <- damping D^-1 b, a Jacobi sweep from zero. */
static void smoothZero(const Level *l, float *restrict y, const float *restrict b) {
  int64_t n = l->n;
#pragma omp parallel for schedule(static) if (n >= SMALL)
  for (int64_t j = 0; j < n; j++) {
    Row row = rowOf(l, j);
    float weight = damping / (2 + row.diagonal);
#pragma omp simd
    for (int64_t i = row.at; i < row.at + n - 1; i++)
      y[i] = weight * b[i];
    y[row.at + n - 1] = damping / (2 / l->d + row.diagonal) * b[row.at + n - 1];
  }
}

/* out <- b - A x, or, with a weight, x + weight D^-1 (b - A x) */
TX_INLINE void sweep(const Level *l, float *restrict out, const float *restrict x,
                     const float *restrict b, float weight) {
  int64_t n = l->n, stride = l->stride;
#pragma omp parallel for schedule(static) if (n >= SMALL)
  for (int64_t j = 0; j < n; j++) {
    Row row = rowOf(l, j);
    float north = row.north, diagonal = 2 + row.diagonal, scale = weight / diagonal;
    int64_t last = row.at + n - 1;
#pragma omp simd
    for (int64_t i = row.at; i < last; i++) {
      float r =
          b[i] - diagonal * x[i] + x[i - 1] + x[i + 1] + north * x[i - stride] + x[i + stride];
      out[i] = weight > 0 ? x[i] + scale * r : r;
    }
    diagonal = 2 / l->d + row.diagonal;
    float r = b[last] - diagonal * x[last] + 2 / (1 + l->d) * x[last - 1] +
              north * x[last - stride] + x[last + stride];
    out[last] = weight > 0 ? x[last] + weight / diagonal * r : r;
  }
}

/* A damped Jacobi sweep: out <- x + damping D^-1 (b - A x). */
static void smooth(const Level *l, float *restrict out, const float *restrict x,
                   const float *restrict b) {
  sweep(l, out, x, b, damping);
}

/* out <- b - A x */
static void residual(const Level *l, float *restrict out, const float *restrict x,
                     const float *restrict b) {
  sweep(l, out, x, b, 0);
}

/* The weights of the three fine points around the coarse point k; they add up to 1. */
typedef struct Weights {
  float before, own, after;
} Weights;

/* Of bilinear interpolation's transpose: 1/4, 1/2, 1/4, but beside the far boundary, where
 * distances are others. */
static Weights weightsOf(const Level *fine, int64_t k) {
  float d = fine->d;
  if (2 * k + 1 == fine->n - 1)
    return (Weights){1 / (2 + d), (1 + d) / (2 + d), 0};
  if (2 * k + 1 == fine->n - 2)
    return (Weights){1 / (3 + d), 2 / (3 + d), d / (3 + d)};
  return (Weights){0.25f, 0.5f, 0.25f};
}

/* The weighted mean of three rows in one column. */
static inline float across(const float *r, int64_t i, int64_t stride, Weights w) {
  return w.before * r[i - stride] + w.own * r[i] + w.after * r[i + stride];
}

/* coarse->b <- the averages of r, times 4 for the unit twice as long */
static void restrictTo(const Level *coarse, const Level *fine, const float *restrict r) {
  int64_t n = coarse->n, stride = fine->stride;
#pragma omp parallel for schedule(static) if (n >= SMALL)
  for (int64_t j = 0; j < n; j++) {
    Weights down = weightsOf(fine, j), end = weightsOf(fine, n - 1);
    /* the coarse point 0 */
    const float *from = r + rowOf(fine, 2 * j + 1).at + 1;
    float *restrict to = coarse->b + rowOf(coarse, j).at;
#pragma omp simd
    for (int64_t i = 0; i < n - 1; i++)
      to[i] = across(from, 2 * i - 1, stride, down) + 2 * across(from, 2 * i, stride, down) +
              across(from, 2 * i + 1, stride, down);
    int64_t i = n - 1;
    to[i] = 4 * (end.before * across(from, 2 * i - 1, stride, down) +
                 end.own * across(from, 2 * i, stride, down) +
                 end.after * across(from, 2 * i + 1, stride, down));
  }
}

/* x_fine <- x_fine + the coarse x, bilinear */
static void prolong(const Level *fine, const Level *coarse) {
  int64_t n = fine->n, half = coarse->n, stride = coarse->stride;
  /* of the last point, where that is no coarse one */
  float end = fine->d / (1 + fine->d);
#pragma omp parallel for schedule(static) if (n >= SMALL)
  for (int64_t j = 0; j < n; j++) {
    float *restrict x = fine->x + rowOf(fine, j).at;
    /* the coarse row of j, or the one before it */
    const float *above = coarse->x + rowOf(coarse, (j - 1) / 2).at;
    const float *below = above + stride;
    float first = 0.5f, second = 0.5f;
    if (j == 0)
      above = coarse->x + 1, below = above + stride;
    if (j % 2)
      first = 1, second = 0, below = above;
    else if (j == n - 1)
      first = end;
#pragma omp simd
    for (int64_t i = 0; i < half; i++) {
      float here = first * above[i] + second * below[i];
      x[2 * i] += 0.5f * (first * above[i - 1] + second * below[i - 1] + here);
      x[2 * i + 1] += here;
    }
    if (n % 2)
      x[n - 1] += end * (first * above[half - 1] + second * below[half - 1]);
  }
}

/* x <- M b, from zero; the single point of the coarsest level is solved. */
static void cycle(const txCpuMultigrid *mg, int k) {
  const Level *l = &mg->level[k];
  if (k == mg->levels - 1) {
    int64_t at = rowOf(l, 0).at;
    l->x[at] = l->b[at] / (4 / l->d);
    return;
  }
  smoothZero(l, l->y, l->b);
  smooth(l, l->x, l->y, l->b);
  residual(l, l->y, l->x, l->b);
  restrictTo(l + 1, l, l->y);
  cycle(mg, k + 1);
  prolong(l, l + 1);
  smooth(l, l->y, l->x, l->b);
  smooth(l, l->x, l->y, l->b);
}

/* The finest level's b <- b - A x in double; returns its square. */
static double trueResidual(const txCpuMultigrid *mg, const float *restrict b) {
  const Level *l = mg->level;
  int64_t n = l->n, stride = l->stride;
  const double *restrict x = mg->x;
  double total = 0;
#pragma omp parallel for reduction(+ : total) schedule(static)
  for (int64_t j = 0; j < n; j++) {
    int64_t at = rowOf(l, j).at;
#pragma omp simd reduction(+ : total)
    for (int64_t i = 0; i < n; i++) {
      const double *c = x + at + i;
      double r = (double)b[j * n + i] - 4 * c[0] + c[-1] + c[1] + c[-stride] + c[stride];
      l->b[at + i] = (float)r;
      total += r * r;
    }
  }
  return total;
}

/* x <- x + what the cycle has found, in double. */
static void correct(const txCpuMultigrid *mg) {
  const Level *l = mg->level;
  int64_t count = l->stride * l->stride;
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < count; i++)
    mg->x[i] += (double)l->x[i];
}

/* Cycles until the residual is small enough; it returns their number. */
int64_t txCpuMultigridSolve(txCpuMultigrid *mg, const float *b, double tolerance, int64_t most) {
  int64_t cycles = 0, count = mg->level->stride * mg->level->stride;
  memset(mg->x, 0, (size_t)count * sizeof *mg->x);
  double rr = trueResidual(mg, b), enough = tolerance * tolerance * rr;
  for (; cycles < most && rr > enough; cycles++) {
    cycle(mg, 0);
    correct(mg);
    rr = trueResidual(mg, b);
  }
  return cycles;
}

/* Without the zeros around the grid. */
void txCpuMultigridSolution(const txCpuMultigrid *mg, double *x) {
  const Level *l = mg->level;
  for (int64_t j = 0; j < l->n; j++)
    memcpy(x + j * l->n, mg->x + rowOf(l, j).at, (size_t)l->n * sizeof *x);
}

/* Three grids in one piece of memory; 0: there is none. */
static int createLevel(Level *l, int64_t n, float d) {
  int64_t count = (n + 2) * (n + 2);
  *l = (Level){
      .n = n, .stride = n + 2, .d = d, .memory = calloc((size_t)count, 3 * sizeof *l->memory)};
  l->x = l->memory;
  if (l->memory)
    l->y = l->x + count, l->b = l->y + count;
  return l->memory != NULL;
}

/* Coarse operators are five-point stencils again, with other distances at the ends. */
txCpuMultigrid *txCpuMultigridCreate(int64_t side) {
  txCpuMultigrid *mg = calloc(1, sizeof *mg);
  if (!mg)
    return NULL;
  float d = 1;
  int good = (mg->x = calloc((size_t)((side + 2) * (side + 2)), sizeof *mg->x)) != NULL;
  for (int64_t n = side; n > 0 && good; n /= 2) {
    good = createLevel(&mg->level[mg->levels++], n, d);
    /* The last coarse point is the last fine one but one (n odd), or the last one itself. */
    if (n % 2)
      d += 1;
    d /= 2;
  }
  if (good)
    return mg;
  txCpuMultigridDestroy(mg);
  return NULL;
}

void txCpuMultigridDestroy(txCpuMultigrid *mg) {
  for (int k = 0; mg && k < mg->levels; k++)
    free(mg->level[k].memory);
  if (mg)
    free(mg->x);
  free(mg);
}
