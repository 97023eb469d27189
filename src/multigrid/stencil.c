/* Nine-point operators on the host: life, places, and what is asked of them point by point. */
#include "multigrid/stencil.h"
#include "core/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Places at a boundary that keep a class of their own. A coarse point far from the boundary by as
 * much depends on fine points that are, too, so that classes stay as they are on all grids. */
enum {
  LOW_TEXELS = 1,
  HIGH_TEXELS = 2,
  LOW_ROWS = 4,
  HIGH_ROWS = 4,
  LEAST_TEXELS = 8,
  LEAST_ROWS = 16
};

/* A stencil without coefficients. */
txStencil *txStencilMake(int nx, int ny, const bool periodic[2], bool uniform, const char *call,
                         clError *error) {
  txStencil *s = txAllocate(error, call, 1, sizeof *s, "the stencils of a grid");
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
  s->coarsening[0] = (txAxisCoarsening){1, 0};
  s->coarsening[1] = (txAxisCoarsening){1, 0};
  s->a = txAllocate(error, call, (size_t)txStencilPoints(s), TX_STENCIL * sizeof *s->a,
                    "the stencils of a grid");
  if (!s->a) {
    txStencilDestroy(s);
    return NULL;
  }
  return s;
}

void txStencilDestroy(txStencil *s) {
  if (!s)
    return;
  free(s->a);
  free(s->weight);
  free(s);
}

/* The place of stored point p; false: there is none. */
bool txStencilPlace(const txStencil *s, int64_t p, int *i, int *j) {
  int64_t width = 4 * (int64_t)txClassCount(&s->class[0]), column = p % width;
  *i = 4 * txClassPlace(&s->class[0], (int)(column >> 2)) + (int)(column & 3);
  *j = txClassPlace(&s->class[1], (int)(p / width));
  return *i < s->n[0];
}

/* The neighbour of i at d on an axis, -1 beyond the boundary. */
int txStencilNeighbour(const txStencil *s, int axis, int i, int d) {
  int n = s->n[axis], k = i + d;
  if (k >= 0 && k < n)
    return k;
  if (!s->periodic[axis])
    return -1;
  return (k + n) % n;
}

int64_t txStencilZeroDiagonal(const txStencil *s) {
  int i, j;
  for (int64_t p = 0; p < txStencilPoints(s); p++)
    if (s->a[TX_STENCIL * p + TX_CENTRE] == 0 && txStencilPlace(s, p, &i, &j))
      return (int64_t)j * s->n[0] + i;
  return -1;
}

/* Row sums that vanish but for rounding. */
bool txStencilSingular(const txStencil *s) {
  /* The coefficients are single precision numbers. */
  const double tolerance = 1e-6;
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
        int x = txStencilNeighbour(s, 0, i, k % 3 - 1), y = txStencilNeighbour(s, 1, j, k / 3 - 1);
        if (x >= 0 && y >= 0)
          out[((int64_t)j * s->n[0] + i) * n + (int64_t)y * s->n[0] + x] +=
              (double)s->a[TX_STENCIL * txStencilIndex(s, i, j) + k];
      }
}
