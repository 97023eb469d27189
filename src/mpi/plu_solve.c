/* Forward and back substitution over the grid of ranks, and refinement with A in double.
 * Substitution waits for two messages a block and reads every factor once, so it is done on the
 * host, where the messages are. */
#include "mpi/plu.h"
#include "system/refine.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clBlockPluSolve";

/* One triangle's solution, block by block. */
typedef struct substitution {
  const clBlockPlu *plu;
  const clBlockLayout *l;
  bool upper;
  /* of each local row: what the unknowns that are known take from its right-hand side, as far as
   * this rank's columns go */
  double *sum;
  /* in: the right-hand side; out: the solution; on all ranks */
  double *x;
  /* what this rank has solved for */
  double *own;
} substitution;

static const float *factorAt(const substitution *s, int row, int col) {
  return s->plu->factors + (int64_t)row * s->l->cols + col;
}

/* x <- the solution with a diagonal block, which begins at local row and column (row, col): forward
 * with ones on the diagonal of L, or back with U. */
static void solveBlock(const substitution *s, double *x, int row, int col, int width) {
  for (int i = 0; i < width && !s->upper; i++) {
    const float *l = factorAt(s, row + i, col);
    for (int t = 0; t < i; t++)
      x[i] -= (double)l[t] * x[t];
  }
  for (int i = width - 1; i >= 0 && s->upper; i--) {
    const float *u = factorAt(s, row + i, col);
    for (int t = i + 1; t < width; t++)
      x[i] -= (double)u[t] * x[t];
    x[i] /= (double)u[i];
  }
}

/* Rows that still have to be solved take their part of the block's unknowns. */
static void subtract(const substitution *s, const double *x, int first, int end, int col,
                     int width) {
  for (int i = first; i < end; i++) {
    const float *f = factorAt(s, i, col);
    double sum = 0;
    for (int t = 0; t < width; t++)
      sum += (double)f[t] * x[t];
    s->sum[i] += sum;
  }
}

/* Block k of the unknowns: the sums of its rows come to the rank that has the diagonal block, which
 * solves; the solution goes along the grid column, whose ranks take it from rows that are left. */
static void stepOf(const substitution *s, int k, double *block) {
  const clBlockMatrix *A = s->plu->A;
  const clBlockLayout *l = s->l;
  clCluster *c = s->plu->cluster;
  int first = k * l->block, width = txLeast(l->block, l->n - first);
  int row_owner = k % l->grid_rows, col_owner = k % l->grid_cols;
  int row = txBlocksBefore(k, l->grid_row, l->grid_rows) * l->block;
  int col = txBlocksBefore(k, l->grid_col, l->grid_cols) * l->block;
  if (l->grid_row == row_owner) {
    memcpy(block, s->sum + row, (size_t)width * sizeof *block);
    txReduceTo(c, block, width, col_owner, A->row);
  }
  if (l->grid_col != col_owner)
    return;
  if (l->grid_row == row_owner) {
    for (int i = 0; i < width; i++)
      block[i] = s->x[first + i] - block[i];
    solveBlock(s, block, row, col, width);
    memcpy(s->own + first, block, (size_t)width * sizeof *block);
  }
  txBroadcast(c, block, (size_t)width * sizeof *block, row_owner, A->col);
  int below = row;
  if (l->grid_row == row_owner)
    below += width;
  if (s->upper)
    subtract(s, block, 0, row, col, width);
  else
    subtract(s, block, below, l->rows, col, width);
}

/* Numbers of room for one: the unknowns of this rank's diagonal blocks, the sums of its rows, a
 * block. */
static size_t substitutionRoom(const clBlockMatrix *A) {
  return (size_t)A->layout.n + (size_t)(A->layout.rows + A->layout.block);
}

/* x <- L^-1 x or U^-1 x. A rank knows the unknowns of its own diagonal blocks; a sum over all ranks
 * brings them together, since each is a number on one of them and zero on the others. */
static void substitute(const clBlockPlu *plu, bool upper, double *x, double *room) {
  const clBlockMatrix *A = plu->A;
  clCluster *c = plu->cluster;
  size_t n = (size_t)A->layout.n;
  substitution s = {.plu = plu, .l = &A->layout, .upper = upper, .x = x};
  memset(room, 0, substitutionRoom(A) * sizeof *room);
  s.own = room;
  s.sum = room + n;
  double *block = s.sum + A->layout.rows;
  for (int step = 0; step < A->blocks && txBlockInGrid(A); step++) {
    int k = step;
    if (upper)
      k = A->blocks - 1 - step;
    stepOf(&s, k, block);
  }
  txSum(c, s.own, A->layout.n, c->comm);
  memcpy(x, s.own, n * sizeof *x);
}

/* d <- A^-1 r with the factors */
static void solve(const clBlockPlu *plu, double *d, const double *r, double *room) {
  int n = plu->A->layout.n;
  memcpy(d, r, (size_t)n * sizeof *d);
  for (int i = 0; i < n; i++) {
    int at = plu->pivots[i];
    double other = d[i];
    d[i] = d[at];
    d[at] = other;
  }
  substitute(plu, false, d, room);
  substitute(plu, true, d, room);
}

/* The largest magnitude; infinity where there is a NaN, which fmax would pass over. */
static double largest(const double *v, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    if (isnan(v[i]))
      return INFINITY;
    most = fmax(most, fabs(v[i]));
  }
  return most;
}

/* max |r_i| / s_i, where 0 / 0 is 0 */
static double backwardError(const double *r, const double *s, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    if (!isfinite(r[i]))
      return INFINITY;
    if (r[i] != 0)
      most = fmax(most, fabs(r[i]) / s[i]);
  }
  return most;
}

/* ||b - A x||_inf / (eps (||A||_inf ||x||_inf + ||b||_inf) n) */
static double hpl(const double *r, const double *x, const double *b, double norm, int n,
                  double eps) {
  double size = norm * largest(x, n) + largest(b, n);
  if (!(size > 0))
    return 0;
  return largest(r, n) / (eps * size * n);
}

/* A solution on its way: x is the best so far, y what is tried, r and s its residual's numbers, d a
 * correction; `room` for substitutions and residuals, so that nothing fails in their midst. */
typedef struct solution {
  const clBlockPlu *plu;
  const double *b;
  double *x, *y, *r, *s, *d, *room, norm;
  clBlockSolveReport best;
} solution;

/* The backward error of y; r <- b - A y */
static double measure(solution *v) {
  txBlockResidual(v->plu->A, v->y, v->b, v->r, v->s, &v->norm, v->room);
  return backwardError(v->r, v->s, v->plu->A->layout.n);
}

/* x <- y, with this backward error. */
static void accept(solution *v, double error) {
  int n = v->plu->A->layout.n;
  memcpy(v->x, v->y, (size_t)n * sizeof *v->x);
  v->best.backward_error = error;
  v->best.residual = txNorm(v->r, n);
  v->best.hpl = hpl(v->r, v->x, v->b, v->norm, n, 0x1p-53);
}

/* Corrections as long as each halves the error. */
static void refine(solution *v) {
  enum { MOST = 30 };
  int n = v->plu->A->layout.n;
  while (v->best.backward_error > 1e-15 && v->best.iterations < MOST) {
    double before = v->best.backward_error;
    solve(v->plu, v->d, v->r, v->room);
    for (int i = 0; i < n; i++)
      v->y[i] += v->d[i];
    double error = measure(v);
    if (!(error < before))
      return;
    accept(v, error);
    v->best.iterations++;
    if (error > before / 2)
      return;
  }
}

/* Refinement with the residual in double: it ends when the backward error is that of double, does
 * not halve any more, or grows; the best solution is kept. All ranks have the same numbers, and so
 * decide the same. */
clStatus clBlockPluSolve(const clBlockPlu *plu, double *x, const double *b,
                         clBlockSolveReport *report) {
  if (!plu)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = plu->cluster;
  int n = plu->A->layout.n;
  if (!x || !b)
    return txFail(&c->error, TEXLA_BAD_ARGUMENT, call, "x and b must not be NULL");
  if (plu->zero_pivot >= 0)
    return txFail(&c->error, TEXLA_SINGULAR, call, "A is singular: the pivot of column %d is zero",
                  plu->zero_pivot + 1);
  size_t room = substitutionRoom(plu->A), other = txBlockResidualRoom(plu->A);
  if (other > room)
    room = other;
  double *memory = txClusterReserve(c, call, 4 * (size_t)n + room, sizeof *memory, "a solution");
  if (!memory)
    return TEXLA_OUT_OF_MEMORY;
  solution v = {.plu = plu, .b = b, .x = x, .y = memory, .r = memory + n};
  v.s = v.r + n;
  v.d = v.s + n;
  v.room = v.d + n;
  solve(plu, v.y, b, v.room);
  accept(&v, measure(&v));
  v.best.hpl_single = hpl(v.r, v.y, b, v.norm, n, 0x1p-24);
  refine(&v);
  double size = txNorm(b, n);
  if (size > 0)
    v.best.residual /= size;
  if (report)
    *report = v.best;
  free(memory);
  if (v.best.backward_error > 4e-15)
    return TEXLA_NOT_CONVERGED;
  return TEXLA_OK;
}
