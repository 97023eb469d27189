/* What single precision leaves of the entries, for residuals in double-float. */
#include "core/parallel.h"
#include "core/try.h"
#include "matrix/residual.h"

/* What is left of a number when its nearest float is taken away, as a float. */
static float lowOf(double v) {
  float hi, lo;
  txDoubleSplit(v, &hi, &lo);
  return lo;
}

/* Counts entries that single precision rounds; of rows that have the same values the first is
 * enough. */
static void countLow(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const txRows *rows = user;
  for (txRun run = txRunAt(rows, first, last); run.row < last; run = txRunNext(rows, &run, last))
    for (int64_t i = 0; i < run.count; i += run.alike)
      for (int64_t e = run.entry + i * run.length; e < run.entry + (i + 1) * run.length; e++)
        sum[0] += (double)run.alike * (lowOf(rows->A->value[e]) != 0);
}

/* What rounding to single precision leaves of the entries, as a matrix of its own; *out <- NULL
 * where that is nothing. */
static clStatus collectLow(clTriplets **out, const txRows *rows, clError *error) {
  const clTriplets *T = rows->A;
  clTriplets *low = NULL;
  double count[TX_SUMS];
  txParallel(T->rows, countLow, (void *)rows, count);
  clStatus status = TEXLA_OK;
  if (count[0] > 0)
    TRY_CLEANUP(clTripletsCreate(&low, T->rows, T->cols, (int64_t)count[0], error));
  for (int64_t k = 0; k < T->count && low; k++)
    if (lowOf(T->value[k]) != 0)
      TRY_CLEANUP(clTripletsAdd(low, T->row[k], T->col[k], (double)lowOf(T->value[k]), error));
  if (low)
    TRY_CLEANUP(clTripletsCompress(low, error));
  *out = low;
  return TEXLA_OK;
cleanup:
  clTripletsDestroy(low);
  return status;
}

/* The lower parts in A's own storage. */
clStatus txMatrixAddLow(clMatrix *A, const txRows *rows) {
  clTriplets *low = NULL;
  TRY(collectLow(&low, rows, txContextError(A->context)));
  clStatus status = TEXLA_OK;
  if (low)
    TRY_CLEANUP(txMatrixCreateBeside(&A->low, A, low, A->storage, A->operations));
cleanup:
  clTripletsDestroy(low);
  return status;
}
