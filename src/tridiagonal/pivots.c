/* Elimination with row exchanges in double on the host: what decides about the few systems that the
 * device has left unsolved.
 *
 * A periodic system is taken in the order 0, n-1, 1, n-2, ..: neighbours are then at most two
 * places apart, so that it is a matrix with `side` = 2 diagonals on each side, as an open system is
 * one with 1. Rows k .. k + side meet in column k; the one with the largest entry becomes row k of
 * U, which has 2 side + 1 entries (LAPACK's dgbsv). */
#include "tridiagonal/tridiagonal.h"
#include "core/allocate.h"
#include "core/try.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 2, WIDTH = 2 * SIDE + 1 };
/* beside rows of size 1 */
static const double TINY = 0x1p-70;

typedef struct elimination {
  int64_t n;
  int side;
  bool periodic;
  txTridiagonalRowOf row_of;
  const void *user;
  /* U by rows from the diagonal on; what the right-hand side becomes, and a random one; the largest
   * entry of each column */
  double (*upper)[WIDTH], *y, *z, *column;
} elimination;

/* A row from its first column on, and its right-hand sides. */
typedef struct row {
  double a[WIDTH], d, z;
} row;

/* Between 1/2 and 1, of any sign. */
static double randomOf(int64_t place) {
  uint64_t bits = ((uint64_t)place + 1) * 6364136223846793005u;
  bits = (bits ^ bits >> 29) * 1442695040888963407u;
  double size = 0.5 + (double)(uint32_t)(bits >> 32) * 0x1p-33;
  if (bits >> 31 & 1)
    return size;
  return -size;
}

/* Unknowns of a periodic system are taken from both ends in turns, 0, n - 1, 1, n - 2, ..., so that
 * its matrix has a band of two diagonals on either side instead of corners. */
static int64_t indexAt(const elimination *e, int64_t place) {
  if (!e->periodic)
    return place;
  if (place % 2)
    return e->n - 1 - place / 2;
  return place / 2;
}

/* The inverse of indexAt. */
static int64_t placeOf(const elimination *e, int64_t index) {
  if (!e->periodic)
    return index;
  if (index < (e->n + 1) / 2)
    return 2 * index;
  return 2 * (e->n - 1 - index) + 1;
}

/* The row at a place, brought to a size near 1 by a power of two, from column `first` on. Beyond
 * the end: x = 0. */
static row load(const elimination *e, int64_t place, int64_t first) {
  row r = {0};
  double given[4];
  if (place >= e->n) {
    r.a[place - first] = 1;
    return r;
  }
  int64_t i = indexAt(e, place), before = (i + e->n - 1) % e->n, after = (i + 1) % e->n;
  e->row_of(e->user, i, given);
  bool left = i > 0 || e->periodic, right = i + 1 < e->n || e->periodic;
  double sum = fabs(given[1]), size = 1;
  if (left)
    sum += fabs(given[0]);
  if (right)
    sum += fabs(given[2]);
  if (sum > 0)
    size = ldexp(1, ilogb(sum));
  if (left)
    r.a[placeOf(e, before) - first] += given[0] / size;
  r.a[place - first] += given[1] / size;
  if (right)
    r.a[placeOf(e, after) - first] += given[2] / size;
  r.d = given[3] / size;
  r.z = randomOf(place);
  for (int c = 0; c < WIDTH && first + c < e->n; c++)
    e->column[first + c] = fmax(e->column[first + c], fabs(r.a[c]));
  return r;
}

/* The row with the largest first entry becomes window[0]. */
static void exchange(row *window, int count) {
  int best = 0;
  for (int k = 1; k < count; k++)
    if (fabs(window[k].a[0]) > fabs(window[best].a[0]))
      best = k;
  row first = window[best];
  window[best] = window[0];
  window[0] = first;
}

/* Row r without its first entry, from the next column on. */
static row reduced(row r, const row *pivot, int width) {
  double w = r.a[0] / pivot->a[0];
  row next = {.d = r.d - w * pivot->d, .z = r.z - w * pivot->z};
  for (int c = 1; c < width; c++)
    next.a[c - 1] = r.a[c] - w * pivot->a[c];
  return next;
}

/* A pivot that is zero becomes a tiny one: what is divided by it shows that there was none. */
static void eliminate(const elimination *e) {
  row window[SIDE + 1];
  /* their columns begin before the first one where nothing stands */
  for (int k = 0; k < e->side; k++)
    window[k] = load(e, k, 0);
  for (int64_t k = 0; k < e->n; k++) {
    window[e->side] = load(e, k + e->side, k);
    exchange(window, e->side + 1);
    if (fabs(window[0].a[0]) < TINY)
      window[0].a[0] = TINY;
    const row pivot = window[0];
    memcpy(e->upper[k], pivot.a, sizeof pivot.a);
    e->y[k] = pivot.d;
    e->z[k] = pivot.z;
    for (int r = 0; r < e->side; r++)
      window[r] = reduced(window[r + 1], &pivot, 2 * e->side + 1);
  }
}

/* y <- U^-1 y; returns the largest element beside the sizes of columns. */
static double substitute(const elimination *e, double *y) {
  double most = 0;
  for (int64_t k = e->n - 1; k >= 0; k--) {
    for (int c = 1; c <= 2 * e->side && k + c < e->n; c++)
      y[k] -= e->upper[k][c] * y[k + c];
    y[k] /= e->upper[k][0];
    if (!isfinite(y[k]))
      return INFINITY;
    double size = 1;
    if (e->column[k] > 0)
      size = e->column[k];
    most = fmax(most, fabs(y[k]) * size);
  }
  return most;
}

/* A random right-hand side of size 1 has a solution as large as the inverse: singular to double
 * precision is what makes that as large as roundoffs make it. A consistent system's own solution
 * does not become so. */
static clTridiagonalState judge(const elimination *e) {
  double size = 0;
  for (int64_t k = 0; k < e->n; k++)
    size = fmax(size, fabs(e->y[k]));
  double inverse = substitute(e, e->z), solution = substitute(e, e->y);
  bool regular = inverse * 64 * sqrt((double)e->n) * DBL_EPSILON < 1;
  if (regular && isfinite(solution))
    return TEXLA_TRIDIAGONAL_SOLVED;
  if (!regular && isfinite(inverse) && solution <= 1e-9 * inverse * size)
    return TEXLA_TRIDIAGONAL_CONSISTENT;
  return TEXLA_TRIDIAGONAL_SINGULAR;
}

clStatus txTridiagonalPivots(clContext *context, const char *call, double *x,
                             clTridiagonalState *state, int64_t n, bool periodic,
                             txTridiagonalRowOf row_of, const void *user) {
  elimination e = {.n = n, .side = 1, .periodic = periodic, .row_of = row_of, .user = user};
  if (periodic)
    e.side = 2;
  clError *error = txContextError(context);
  static const char what[] = "the elimination of a system";
  clStatus status = TEXLA_OK;
  e.upper = txAllocate(error, call, (size_t)n, sizeof *e.upper, what);
  if (e.upper)
    e.y = txAllocate(error, call, 3 * (size_t)n, sizeof *e.y, what);
  if (!e.y)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  e.z = e.y + n;
  e.column = e.z + n;
  eliminate(&e);
  *state = judge(&e);
  for (int64_t place = 0; place < n && *state == TEXLA_TRIDIAGONAL_SOLVED; place++)
    x[indexAt(&e, place)] = e.y[place];
cleanup:
  free(e.upper);
  free(e.y);
  return status;
}

/* ---- The same for operands on the device ----------------------------------------------------- */

typedef struct downloaded {
  const clTridiagonal *T;
  /* sub, main, super, rhs; NULL: the number */
  float *values[4];
  float number[3];
  int system;
} downloaded;

/* Where row i of a system lies in a downloaded vector. */
static int64_t elementOf(const clTridiagonal *T, int64_t system, int64_t i) {
  if (txTridiagonalAlongX(T))
    return system * txTridiagonalLength(T) + i;
  return i * T->layout.row + system;
}

static void rowOf(const void *user, int64_t i, double out[4]) {
  const downloaded *d = user;
  int64_t at = elementOf(d->T, d->system, i);
  for (int k = 0; k < 4; k++) {
    if (d->values[k])
      out[k] = (double)d->values[k][at];
    else
      out[k] = (double)d->number[k];
  }
}

/* A vector's numbers on the host; the caller frees them. */
static clStatus download(float **out, const clVector *v, const char *call) {
  *out = txAllocate(txContextError(v->context), call, (size_t)clVectorLength(v), sizeof **out,
                    "a batch of systems");
  if (!*out)
    return TEXLA_OUT_OF_MEMORY;
  return clVectorDownload(v, *out);
}

/* One system after the other; those without a solution keep what x has. */
static clStatus solveListed(downloaded *d, const char *call, float *x, const float *list, int count,
                            clTridiagonalState *states) {
  int64_t n = txTridiagonalLength(d->T);
  if (d->T->options.folded)
    n = d->T->layout.length;
  double *solution = txAllocate(txContextError(d->T->context), call, (size_t)n, sizeof *solution,
                                "the solution of a system");
  if (!solution)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  for (int k = 0; k < count; k++) {
    d->system = (int)list[k];
    TRY_CLEANUP(txTridiagonalPivots(d->T->context, call, solution, &states[k], n,
                                    d->T->options.periodic, rowOf, d));
    bool solved = states[k] == TEXLA_TRIDIAGONAL_SOLVED;
    for (int64_t i = 0; i < n && solved; i++)
      x[elementOf(d->T, d->system, i)] = (float)solution[i];
  }
cleanup:
  free(solution);
  return status;
}

clStatus txTridiagonalPivotsListed(const clTridiagonal *T, const char *call, clVector *x,
                                   const clTridiagonalBands *A, const clVector *rhs,
                                   const float *list, int count, clTridiagonalState *states) {
  const clVector *const given[] = {A->sub, A->main, A->super, rhs};
  downloaded d = {.T = T, .number = {A->sub_value, A->main_value, A->super_value}};
  float *values = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(download(&values, x, call));
  for (int k = 0; k < 4; k++) {
    if (given[k])
      TRY_CLEANUP(download(&d.values[k], given[k], call));
  }
  TRY_CLEANUP(solveListed(&d, call, values, list, count, states));
  TRY_CLEANUP(clVectorUpload(x, values));
cleanup:
  for (int k = 0; k < 4; k++)
    free(d.values[k]);
  free(values);
  return status;
}
