/* How a clMatrix is made of triplets: checks, the choice of a storage, other values on the same
 * pattern. */
#include "core/try.h"
#include "matrix/residual.h"

#include <float.h>
#include <math.h>

static const char create[] = "clMatrixCreate";

/* The first entry that is not finite or beyond single precision, by its place. */
static clStatus checkValues(clContext *context, const clTriplets *T) {
  for (int64_t k = 0; k < T->count; k++)
    if (!(fabs(T->value[k]) <= (double)FLT_MAX))
      return txFail(txContextError(context), TEXLA_NOT_FINITE, create,
                    "entry (%d, %d) is %g, which single precision cannot hold", T->row[k] + 1,
                    T->col[k] + 1, T->value[k]);
  return TEXLA_OK;
}

static clStatus badArgument(clContext *context) {
  return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, create,
                "out, context and A must not be NULL, A not empty, the storage one of the list");
}

/* Values are looked at only where the look at the rows has found some that are too big. */
clStatus txMatrixCreate(clMatrix **out, clContext *context, const txRows *rows,
                        const clMatrixOptions *options, bool transposable) {
  if (options->storage < TEXLA_STORAGE_AUTO || (int)options->storage >= TX_STORAGES)
    return badArgument(context);
  if (rows->too_big)
    TRY(checkValues(context, rows->A));
  clMatrixOptions o = *options;
  char why[128] = "";
  if (o.storage == TEXLA_STORAGE_AUTO)
    TRY(txStorageChoose(&o.storage, context, create, rows, why, sizeof why));
  clMatrix *A = NULL;
  TRY(txMatrixCreateAs(&A, context, rows, &o, txStorages[o.storage], transposable));
  if (why[0])
    txMatrixDescribe(A, " (auto: %s)", why);
  clStatus status = TEXLA_OK;
  if (o.double_float)
    TRY_CLEANUP(txMatrixAddLow(A, rows));
  *out = A;
  return TEXLA_OK;
cleanup:
  clMatrixDestroy(A);
  return status;
}

/* The storage keeps its positions. What rounding leaves of the entries is another matrix, whose
 * pattern may be another one now. */
clStatus txMatrixUpdate(clMatrix *A, const txRows *rows, const clMatrixOptions *options,
                        bool *done) {
  *done = A->operations->update && !A->transposable;
  if (!*done)
    return TEXLA_OK;
  clMatrixDestroy(A->low);
  A->low = NULL;
  if (rows->too_big)
    TRY(checkValues(A->context, rows->A));
  TRY(A->operations->update(A, create, rows));
  if (options->double_float)
    TRY(txMatrixAddLow(A, rows));
  return TEXLA_OK;
}

/* Where the storage cannot take other values the matrix is created anew. */
clStatus txMatrixSetRows(clMatrix **A, clContext *context, const txRows *rows,
                         const clMatrixOptions *options) {
  bool done = false;
  if (*A)
    TRY(txMatrixUpdate(*A, rows, options, &done));
  if (done)
    return TEXLA_OK;
  clMatrixDestroy(*A);
  *A = NULL;
  return txMatrixCreate(A, context, rows, options, false);
}

clStatus txMatrixSet(clMatrix **A, clContext *context, const clTriplets *T,
                     const clMatrixOptions *options) {
  txRows rows;
  TRY(txRowsFind(&rows, T, create, txContextError(context)));
  clStatus status = txMatrixSetRows(A, context, &rows, options);
  txRowsForget(&rows);
  return status;
}

clStatus txMatrixSetBetween(clMatrix **A, clContext *context, const txRows *rows, clStorage storage,
                            const txLayout *y, const txLayout *x) {
  const clMatrixOptions options = {.storage = storage};
  bool done = false;
  if (rows->too_big)
    TRY(checkValues(context, rows->A));
  if (*A)
    TRY(txMatrixUpdate(*A, rows, &options, &done));
  if (done)
    return TEXLA_OK;
  clMatrixDestroy(*A);
  *A = NULL;
  return txMatrixCreateBetween(A, context, rows, storage, txStorages[storage], y, x);
}

/* One look at the rows serves the choice of a storage and the storage itself. */
clStatus clMatrixCreate(clMatrix **out, clContext *context, const clTriplets *T,
                        const clMatrixOptions *options) {
  if (!out || !context || !T || T->rows < 1 || T->cols < 1)
    return badArgument(context);
  const clMatrixOptions usual = {0};
  txRows rows;
  TRY(txRowsFind(&rows, T, create, txContextError(context)));
  clStatus status = txMatrixCreate(out, context, &rows, options ? options : &usual, true);
  txRowsForget(&rows);
  return status;
}
