/* What callers give to a system. */
#include "core/parallel.h"
#include "core/try.h"
#include "multigrid/aggregation.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>

static const char call[] = "clSystemSolve";
/* Up to so many rows an A that is nearly empty is solved; a short file may promise any number. */
enum { PROMISED = 1000000 };

/* Names the vector as well where there are several. */
static clStatus notFinite(clError *error, const char *what, int64_t i, int64_t rows, int count) {
  char column[32] = "";
  if (count > 1)
    snprintf(column, sizeof column, " of column %lld", (long long)(i / rows) + 1);
  return txFail(error, TEXLA_NOT_FINITE, call, "element %lld%s of %s is not finite",
                (long long)(i % rows) + 1, column, what);
}

clStatus txSystemCheckMatrix(const clTriplets *A, clError *error) {
  if (A->rows != A->cols)
    return txFail(error, TEXLA_BAD_SHAPE, call, "A is %d x %d, not square", A->rows, A->cols);
  if (A->rows > PROMISED && A->count < A->rows / 2)
    return txFail(error, TEXLA_SINGULAR, call,
                  "A is %d x %d but has %lld entries: most of its rows are zero, leave these out",
                  A->rows, A->cols, (long long)A->count);
  return TEXLA_OK;
}

clStatus txSystemCheck(clContext *context, const clTriplets *A, int count,
                       const clSystemOptions *o) {
  clError *error = txContextError(context);
  if (!context || !A || count < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "context, A, b and x must not be NULL, count (%d) at least 1", count);
  TRY(txSystemCheckMatrix(A, error));
  if (!(o->solver.tolerance >= 0) || !(o->solver.tolerance < 1))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the tolerance (%g) must be in [0, 1)",
                  o->solver.tolerance);
  if (!(o->roundoff >= 0) || !(o->roundoff <= 0.01))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the roundoff (%g) must be in [0, 0.01]",
                  o->roundoff);
  if (o->solver.columns < 0 || o->solver.columns > TX_COLUMNS)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "columns (%d) must be between 0 and %d",
                  o->solver.columns, TX_COLUMNS);
  if (o->solver.near_null_count < 0 || o->solver.near_null_count > TX_NEAR_VECTORS)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "near_null_count (%d) must be between 0 and %d",
                  o->solver.near_null_count, TX_NEAR_VECTORS);
  if (o->solver.shell.apply)
    return txFail(
        error, TEXLA_UNSUPPORTED, call,
        "A is scaled before it is solved: a preconditioner of one's own is for clSolverCreate");
  return TEXLA_OK;
}

typedef struct loop {
  const double *b, *x;
} loop;

enum {
  ODD,
  OTHER,
  /* what is added up: elements that are not finite, start values that are not zero, squares of b */
  SQUARES
};
enum { LANES = 8 };

/* One sweep over both vectors: what is not finite, what is not zero in x, and the squares of b. */
static void countOdd(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  bool other = false;
  double square[LANES] = {0};
  int64_t i = first;
  for (; i + LANES <= last; i += LANES)
    for (int k = 0; k < LANES; k++) {
      sum[ODD] += !isfinite(l->b[i + k]) || !isfinite(l->x[i + k]);
      other |= l->x[i + k] != 0;
      square[k] += l->b[i + k] * l->b[i + k];
    }
  for (; i < last; i++) {
    sum[ODD] += !isfinite(l->b[i]) || !isfinite(l->x[i]);
    other |= l->x[i] != 0;
    square[0] += l->b[i] * l->b[i];
  }
  sum[OTHER] += other;
  for (int k = 0; k < LANES; k++)
    sum[SQUARES] += square[k];
}

/* Only where something is not finite are the vectors looked at element by element. */
clStatus txSystemCheckVectors(txSystem *s, const clTriplets *A, int count, const double *b,
                              const double *x) {
  clContext *context = s->context;
  double odd[TX_SUMS];
  if ((A->rows && (!b || !x)) || count < 1)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "context, A, b and x must not be NULL, count (%d) at least 1", count);
  txParallel((int64_t)A->rows * count, countOdd, &(loop){b, x}, odd);
  for (int64_t i = 0; odd[ODD] > 0 && i < (int64_t)A->rows * count; i++)
    if (!isfinite(b[i]) || !isfinite(x[i]))
      return notFinite(txContextError(context), isfinite(b[i]) ? "the start value" : "b", i,
                       A->rows, count);
  /* Only finite numbers are compared: a caller may trap what is not. */
  s->from_zero = odd[OTHER] == 0;
  s->b_norm = -1;
  if (count == 1 && odd[SQUARES] > 1e-200 && odd[SQUARES] < 1e200)
    s->b_norm = sqrt(odd[SQUARES]);
  return TEXLA_OK;
}
