#include "system/grid.h"
#include "multigrid/stencil.h"
#include "vector/vector.h"

#include <math.h>

static const char call[] = "clSystemSolve";
/* Shorter grid rows would be padded too much, and a grid of few of them is hardly one. */
enum { LEAST_COLUMNS = 16, LEAST_ROWS = 4 };
/* Couplings of one direction may differ by this factor: far below what interpolation from the
 * matrix can take, which is also made for jumps. */
static const double mild = 10;
/* Entries so small beside the diagonal are what is left of sums that should be zero. */
static const double rounding = 1e-14;

/* The smallest and the largest coupling of each direction, relative to the diagonal's sign. */
typedef struct range {
  double low[TX_STENCIL], high[TX_STENCIL];
} range;

/* Takes point (i, j) in; false where its row sum has the wrong sign. */
static bool takeIn(range *r, const txStencil *s, const float *c, int i, int j) {
  double sign = copysign(1, (double)c[TX_CENTRE]), sum = 0;
  for (int k = 0; k < TX_STENCIL; k++) {
    double v = sign * (double)c[k];
    if (fabs(v) < rounding * fabs((double)c[TX_CENTRE]))
      v = 0;
    bool exists =
        txStencilNeighbour(s, 0, i, k % 3 - 1) >= 0 && txStencilNeighbour(s, 1, j, k / 3 - 1) >= 0;
    sum += v;
    if (!exists || k == TX_CENTRE)
      continue;
    r->low[k] = fmin(r->low[k], -v);
    r->high[k] = fmax(r->high[k], -v);
  }
  return c[TX_CENTRE] != 0 && sum >= -1e-6 * fabs((double)c[TX_CENTRE]);
}

static bool isMild(const txStencil *s) {
  range r = {.high = {0}};
  bool dominant = true;
  int i, j;
  for (int k = 0; k < TX_STENCIL; k++)
    r.low[k] = INFINITY;
  for (int64_t p = 0; p < txStencilPoints(s) && dominant; p++)
    if (txStencilPlace(s, p, &i, &j))
      dominant = takeIn(&r, s, s->a + TX_STENCIL * p, i, j);
  bool even = true;
  for (int k = 0; k < TX_STENCIL && even; k++)
    even = k == TX_CENTRE || (r.low[k] >= 0 && r.high[k] <= mild * r.low[k]);
  /* Lines that nothing couples with each other are no grid. */
  return dominant && even && r.high[1] > 0 && r.high[3] > 0;
}

static bool isGrid(const clContext *context, const txRows *rows, int64_t nx) {
  int64_t ny = rows->A->rows / (nx + !nx);
  txLayout layout;
  txStencil *s = NULL;
  if (nx < LEAST_COLUMNS || ny < LEAST_ROWS || nx * ny != rows->A->rows ||
      !txLayoutGrid(&layout, context, (int)nx, (int)ny) ||
      txStencilCreate(&s, rows, (int)nx, (int)ny, false, call, NULL))
    return false;
  bool mildly = isMild(s);
  txStencilDestroy(s);
  return mildly;
}

/* The farthest entry of a row in the middle is nx away for five points and nx + 1 for nine, but
 * 2 nx - 1 where nine points meet the end of a periodic row. */
bool txSystemGrid(int n[2], const clContext *context, const txRows *rows) {
  const clTriplets *A = rows->A;
  int64_t far = 0, middle = A->rows / 2;
  double largest = 0;
  txRun run = txRunAt(rows, middle, middle + 1);
  for (int64_t k = run.entry; k < run.entry + run.length; k++)
    largest = fmax(largest, fabs(A->value[k]));
  for (int64_t k = run.entry; k < run.entry + run.length; k++) {
    int64_t offset = A->col[k] - middle;
    if (offset < 0)
      offset = -offset;
    if (fabs(A->value[k]) > rounding * largest && offset > far)
      far = offset;
  }
  const int64_t guess[] = {far, far - 1, (far + 1) / 2};
  for (int g = 0; g < 3; g++)
    if (isGrid(context, rows, guess[g])) {
      n[0] = (int)guess[g];
      n[1] = (int)(A->rows / guess[g]);
      return true;
    }
  return false;
}
