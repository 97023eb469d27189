/* clMatrix: creation from triplets, questions, destruction; the storages do the rest. */
#include "matrix/storage.h"
#include "core/allocate.h"
#include "matrix/residual.h"
#include "vector/vector.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char create[] = "clMatrixCreate";
const txStorage *const txStorages[TX_STORAGES] = {
    [TEXLA_STORAGE_DENSE] = &txDenseStorage,   [TEXLA_STORAGE_BANDED] = &txBandedStorage,
    [TEXLA_STORAGE_POINTS] = &txPointsStorage, [TEXLA_STORAGE_CSR] = &txCsrStorage,
    [TEXLA_STORAGE_SLOTS] = &txSlotsStorage,
};

const char *clStorageName(clStorage storage) {
  switch (storage) {
#define TX_STORAGE_NAME(name, text, summary)                                                       \
  case name:                                                                                       \
    return text;
    TEXLA_STORAGE_LIST(TX_STORAGE_NAME)
#undef TX_STORAGE_NAME
  case TEXLA_STORAGE_SHELL:
    return "shell";
  }
  return "unknown";
}

void txMatrixDescribe(clMatrix *A, const char *format, ...) {
  size_t used = strlen(A->description);
  va_list args;
  va_start(args, format);
  vsnprintf(A->description + used, sizeof A->description - used, format, args);
  va_end(args);
}

static clStatus checkValues(clContext *context, const clTriplets *T) {
  for (int64_t k = 0; k < T->count; k++)
    if (!(fabs(T->value[k]) <= (double)FLT_MAX))
      return txFail(txContextError(context), TEXLA_NOT_FINITE, create,
                    "entry (%d, %d) is %g, which single precision cannot hold", T->row[k] + 1,
                    T->col[k] + 1, T->value[k]);
  return TEXLA_OK;
}

clStatus txMatrixLayouts(clMatrix *A, const char *call, const clMatrixOptions *o) {
  clContext *context = A->context;
  if (o->grid_nx || o->grid_ny) {
    if (A->rows != A->cols || o->grid_nx < 1 || o->grid_ny < 1 ||
        (int64_t)o->grid_nx * o->grid_ny != A->rows)
      return txFail(txContextError(context), TEXLA_BAD_SHAPE, call,
                    "a grid of %d x %d does not fit the %d x %d matrix: it must have %d points",
                    o->grid_nx, o->grid_ny, A->rows, A->cols, A->rows);
    if (!txLayoutGrid(&A->row_layout, context, o->grid_nx, o->grid_ny))
      return txFail(txContextError(context), TEXLA_TOO_LARGE, call,
                    "a grid of %d x %d exceeds the device's textures", o->grid_nx, o->grid_ny);
    A->col_layout = A->row_layout;
    return TEXLA_OK;
  }
  if (!txLayoutLinear(&A->row_layout, context, A->rows) ||
      !txLayoutLinear(&A->col_layout, context, A->cols))
    return txFail(
        txContextError(context), TEXLA_TOO_LARGE, call,
        "vectors of the %d x %d matrix do not fit into one texture; the device's limit is %lld",
        A->rows, A->cols, (long long)clContextInspect(context)->max_vector_length);
  return TEXLA_OK;
}

static clStatus fill(clMatrix *A, const txRows *rows, const clMatrixOptions *o) {
  clStatus status = txMatrixLayouts(A, create, o);
  if (status)
    return status;
  char why[128] = "";
  A->storage = o->storage;
  if (A->storage == TEXLA_STORAGE_AUTO)
    status = txStorageChoose(&A->storage, A->context, create, rows, why, sizeof why);
  if (status)
    return status;
  txMatrixDescribe(A, "%s", clStorageName(A->storage));
  A->operations = txStorages[A->storage];
  status = A->operations->create(A, create, rows, o);
  if (!status && why[0])
    txMatrixDescribe(A, " (auto: %s)", why);
  if (!status && o->double_float)
    status = txMatrixAddLow(A, rows);
  return status;
}

static clStatus badArgument(clContext *context) {
  return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, create,
                "out, context and A must not be NULL, A not empty, the storage one of the list");
}

clStatus txMatrixCreate(clMatrix **out, clContext *context, const txRows *rows,
                        const clMatrixOptions *options, bool transposable) {
  const clTriplets *T = rows->A;
  if (options->storage < TEXLA_STORAGE_AUTO || (int)options->storage >= TX_STORAGES)
    return badArgument(context);
  clStatus status = rows->too_big ? checkValues(context, T) : TEXLA_OK;
  if (status)
    return status;
  clMatrix *A = txAllocate(txContextError(context), create, 1, sizeof *A, "a clMatrix");
  if (!A)
    return TEXLA_OUT_OF_MEMORY;
  A->context = context;
  A->rows = T->rows;
  A->cols = T->cols;
  A->count = T->count;
  A->transposable = transposable;
  status = fill(A, rows, options);
  if (status)
    clMatrixDestroy(A);
  else
    *out = A;
  return status;
}

clStatus txMatrixUpdate(clMatrix *A, const txRows *rows, const clMatrixOptions *options,
                        bool *done) {
  *done = A->operations->update && !A->transposable;
  if (!*done)
    return TEXLA_OK;
  clStatus status = rows->too_big ? checkValues(A->context, rows->A) : TEXLA_OK;
  if (!status)
    status = A->operations->update(A, create, rows);
  clMatrixDestroy(A->low);
  A->low = NULL;
  return status || !options->double_float ? status : txMatrixAddLow(A, rows);
}

clStatus txMatrixSetRows(clMatrix **A, clContext *context, const txRows *rows,
                         const clMatrixOptions *options) {
  bool done = false;
  clStatus status = *A ? txMatrixUpdate(*A, rows, options, &done) : TEXLA_OK;
  if (status || done)
    return status;
  clMatrixDestroy(*A);
  *A = NULL;
  return txMatrixCreate(A, context, rows, options, false);
}

clStatus txMatrixSet(clMatrix **A, clContext *context, const clTriplets *T,
                     const clMatrixOptions *options) {
  txRows rows;
  clStatus status = txRowsFind(&rows, T, create, txContextError(context));
  if (status)
    return status;
  status = txMatrixSetRows(A, context, &rows, options);
  txRowsForget(&rows);
  return status;
}

clStatus clMatrixCreate(clMatrix **out, clContext *context, const clTriplets *T,
                        const clMatrixOptions *options) {
  clMatrixOptions o = options ? *options : (clMatrixOptions){0};
  if (!out || !context || !T || T->rows < 1 || T->cols < 1)
    return badArgument(context);
  txRows rows;
  clStatus status = txRowsFind(&rows, T, create, txContextError(context));
  if (status)
    return status;
  status = txMatrixCreate(out, context, &rows, &o, true);
  txRowsForget(&rows);
  return status;
}

void clMatrixDestroy(clMatrix *A) {
  if (!A)
    return;
  if (A->operations)
    A->operations->destroy(A);
  clTripletsDestroy(A->host);
  clMatrixDestroy(A->low);
  clMatrixDestroy(A->twin);
  if (A->transpose != A)
    clMatrixDestroy(A->transpose);
  free(A);
}

int32_t clMatrixRows(const clMatrix *A) {
  return A ? A->rows : 0;
}

int32_t clMatrixCols(const clMatrix *A) {
  return A ? A->cols : 0;
}

int64_t clMatrixCount(const clMatrix *A) {
  return A ? A->count : 0;
}

clStorage clMatrixStorage(const clMatrix *A) {
  return A ? A->storage : TEXLA_STORAGE_AUTO;
}

const char *clMatrixDescription(const clMatrix *A) {
  return A ? A->description : "";
}

clContext *clMatrixContext(const clMatrix *A) {
  return A ? A->context : NULL;
}

clStatus clMatrixCreateVector(clVector **out, const clMatrix *A, clSide side) {
  if (!out || !A)
    return txFail(A ? txContextError(A->context) : NULL, TEXLA_BAD_ARGUMENT, "clMatrixCreateVector",
                  "out and A must not be NULL");
  if (side != TEXLA_SIDE_ROWS && side != TEXLA_SIDE_COLS)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, "clMatrixCreateVector",
                  "unknown side %d", (int)side);
  return txVectorCreate(out, A->context, "clMatrixCreateVector",
                        side == TEXLA_SIDE_ROWS ? &A->row_layout : &A->col_layout);
}
