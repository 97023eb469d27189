#include "oracle/grid.h"

#include "choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t points(const txStencil *s) {
  return (int64_t)s->n[0] * s->n[1];
}

/* Sum of the row's coefficients times x without the diagonal; *diagonal gets that. */
static double offDiagonal(const txStencil *s, const double *x, int i, int j, double *diagonal) {
  const float *a = s->a + 9 * txStencilIndex(s, i, j);
  double sum = 0;
  *diagonal = (double)a[4];
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int k = i + dx, l = j + dy;
      if (s->periodic[0])
        k = (k + s->n[0]) % s->n[0];
      if (s->periodic[1])
        l = (l + s->n[1]) % s->n[1];
      if ((dx || dy) && k >= 0 && k < s->n[0] && l >= 0 && l < s->n[1])
        sum += (double)a[3 * (dy + 1) + dx + 1] * x[(int64_t)l * s->n[0] + k];
    }
  return sum;
}

void oracleGridApply(double *y, const txStencil *s, const double *x) {
  for (int j = 0; j < s->n[1]; j++)
    for (int i = 0; i < s->n[0]; i++) {
      double diagonal, sum = offDiagonal(s, x, i, j, &diagonal);
      y[(int64_t)j * s->n[0] + i] = sum + diagonal * x[(int64_t)j * s->n[0] + i];
    }
}

typedef void (*visitor)(double *coarse, double *fine, double weight);

static void forParents(const txStencil *s, double *coarse, double *fine, visitor visit) {
  int nx = txStencilCoarse(s, 0);
  for (int j = 0; j < s->n[1]; j++)
    for (int i = 0; i < s->n[0]; i++) {
      int px[2], py[2];
      txStencilParents(s, 0, i, &px[0], &px[1]);
      txStencilParents(s, 1, j, &py[0], &py[1]);
      for (int p = 0; p < 4; p++)
        if (px[p & 1] >= 0 && py[p >> 1] >= 0)
          visit(&coarse[(int64_t)py[p >> 1] * nx + px[p & 1]], &fine[(int64_t)j * s->n[0] + i],
                (double)s->weight[4 * txStencilIndex(s, i, j) + p]);
    }
}

static void toFine(double *coarse, double *fine, double weight) {
  *fine += weight * *coarse;
}

static void toCoarse(double *coarse, double *fine, double weight) {
  *coarse += weight * *fine;
}

void oracleGridProlong(double *fine, const txStencil *s, const double *coarse) {
  forParents(s, (double *)coarse, fine, toFine);
}

void oracleGridRestrict(double *coarse, const txStencil *s, const double *fine) {
  memset(coarse, 0, (size_t)txStencilCoarse(s, 0) * (size_t)txStencilCoarse(s, 1) * sizeof *coarse);
  forParents(s, coarse, (double *)fine, toCoarse);
}

static void jacobi(const txStencil *s, double *x, const double *b, double factor) {
  double *y = malloc((size_t)points(s) * sizeof *y);
  oracleGridApply(y, s, x);
  for (int64_t k = 0; k < points(s); k++) {
    double d = (double)s->a[9 * txStencilIndex(s, (int)(k % s->n[0]), (int)(k / s->n[0])) + 4];
    y[k] = d != 0 ? x[k] + factor * (b[k] - y[k]) / d : x[k];
  }
  memcpy(x, y, (size_t)points(s) * sizeof *y);
  free(y);
}

/* Points of a colour do not see each other's new values. */
static void colour(const txStencil *s, double *x, const double *b, int c) {
  double *old = malloc((size_t)points(s) * sizeof *old);
  memcpy(old, x, (size_t)points(s) * sizeof *old);
  for (int j = 0; j < s->n[1]; j++)
    for (int i = 0; i < s->n[0]; i++) {
      int mine = s->nine ? (i & 1) + 2 * (j & 1) : (i + j) & 1;
      double diagonal, sum;
      if (mine != c)
        continue;
      sum = offDiagonal(s, old, i, j, &diagonal);
      if (diagonal != 0)
        x[(int64_t)j * s->n[0] + i] = (b[(int64_t)j * s->n[0] + i] - sum) / diagonal;
    }
  free(old);
}

/* v <- T^-1 v for n dense equations, by elimination. */
static void solveLine(double *T, double *v, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double f = T[i * n + k] / T[k * n + k];
      for (int j = k; j < n; j++)
        T[i * n + j] -= f * T[k * n + j];
      v[i] -= f * v[k];
    }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      v[i] -= T[i * n + j] * v[j];
    v[i] /= T[i * n + i];
  }
}

/* x <- x + factor T^-1 (b - A x), T what A couples within the lines along `axis`; `every` other
 * line from `first` on, or all. */
static void lines(const txStencil *s, double *x, const double *b, int axis, double factor,
                  int first, int every) {
  int n = s->n[axis], step = axis ? 3 : 1;
  double *r = malloc((size_t)points(s) * sizeof *r), *T = malloc((size_t)n * (size_t)n * sizeof *T);
  double *v = malloc((size_t)n * sizeof *v);
  oracleGridApply(r, s, x);
  for (int l = first; l < s->n[1 - axis]; l += every) {
    memset(T, 0, (size_t)n * (size_t)n * sizeof *T);
    for (int k = 0; k < n; k++) {
      int i = k, j = l;
      swapIf(axis, &i, &j);
      const float *a = s->a + 9 * txStencilIndex(s, i, j);
      T[k * n + k] += (double)a[4];
      T[k * n + (k + n - 1) % n] += k || s->periodic[axis] ? (double)a[4 - step] : 0;
      T[k * n + (k + 1) % n] += k < n - 1 || s->periodic[axis] ? (double)a[4 + step] : 0;
      v[k] = b[(int64_t)j * s->n[0] + i] - r[(int64_t)j * s->n[0] + i];
    }
    solveLine(T, v, n);
    for (int k = 0; k < n; k++)
      x[axis ? (int64_t)k * s->n[0] + l : (int64_t)l * s->n[0] + k] += factor * v[k];
  }
  free(r);
  free(T);
  free(v);
}

static void smoothLines(const oracleGrid *g, int l, double *x, const double *b, bool reversed) {
  int every = g->coloured ? 2 : 1, count = g->sweeps * 2 * every;
  for (int c = 0; c < count; c++) {
    int k = reversed ? count - 1 - c : c, axis = 1 - k / every % 2;
    lines(g->level[l], x, b, axis, g->factor[l][k / every / 2], k % every, every);
  }
}

static void smooth(const oracleGrid *g, int l, double *x, const double *b, bool after) {
  const txStencil *s = g->level[l];
  bool halves = l == 0 && g->halves;
  if (g->lined && s->n[0] > 1 && s->n[1] > 1) {
    smoothLines(g, l, x, b, after && g->symmetric);
    return;
  }
  int colours = s->nine ? 4 : 2;
  if (after && l > 0 && g->halves) {
    jacobi(s, x, b, g->last[l]);
    return;
  }
  for (int k = 0; k < (halves ? 1 : g->sweeps); k++)
    if (!g->coloured && !halves)
      jacobi(s, x, b, g->factor[l][k]);
    else
      for (int c = 0; c < colours; c++)
        colour(s, x, b, after && g->symmetric && !halves ? colours - 1 - c : c);
}

/* x <- A^-1 b by elimination with pivots; the least-norm solution when A is singular with constant
 * kernel. */
static void solveDense(const txStencil *s, double *x, const double *b, bool singular) {
  int n = (int)points(s);
  double *a = malloc((size_t)n * (size_t)n * sizeof *a), mean = 0;
  txStencilDense(a, s);
  for (int i = 0; i < n; i++)
    mean += b[i] / n;
  for (int i = 0; i < n; i++)
    x[i] = singular ? b[i] - mean : b[i];
  for (int i = 0; singular && i < n * n; i++)
    a[i] += 1.0 / n;
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[p * n + k]))
        p = i;
    for (int j = 0; j < n; j++) {
      double t = a[k * n + j];
      a[k * n + j] = a[p * n + j];
      a[p * n + j] = t;
    }
    double t = x[k];
    x[k] = x[p];
    x[p] = t;
    for (int i = k + 1; i < n; i++) {
      double f = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; j++)
        a[i * n + j] -= f * a[k * n + j];
      x[i] -= f * x[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
  free(a);
}

void oracleGridCycle(const oracleGrid *g, int l, double *x, const double *b) {
  const txStencil *s = g->level[l];
  if (l == g->levels - 1) {
    solveDense(s, x, b, g->singular);
    return;
  }
  const txStencil *c = g->level[l + 1];
  double *r = malloc((size_t)points(s) * sizeof *r);
  double *rc = malloc((size_t)points(c) * sizeof *rc), *e = calloc((size_t)points(c), sizeof *e);
  smooth(g, l, x, b, false);
  oracleGridApply(r, s, x);
  for (int64_t k = 0; k < points(s); k++)
    r[k] = b[k] - r[k];
  oracleGridRestrict(rc, s, r);
  for (int k = 0; k < (l + 1 == g->levels - 1 ? 1 : g->gamma); k++)
    oracleGridCycle(g, l + 1, e, rc);
  oracleGridProlong(x, s, e);
  smooth(g, l, x, b, true);
  free(r);
  free(rc);
  free(e);
}
