/* clMatrix: its life and what it can be asked; the storages do the rest. */
#include "matrix/storage.h"
#include "core/try.h"
#include "core/allocate.h"
#include "vector/vector.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char create[] = "clMatrixCreate";
/* Names come from the same list as the enumeration. */
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

/* The description is cut off where it gets too long. */
void txMatrixDescribe(clMatrix *A, const char *format, ...) {
  size_t used = strlen(A->description);
  va_list args;
  va_start(args, format);
  vsnprintf(A->description + used, sizeof A->description - used, format, args);
  va_end(args);
}

/* A grid that the caller wants must have as many points as A has rows and columns. */
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

/* A matrix without a storage and layouts. */
static clStatus matrixAllocate(clMatrix **out, clContext *context, const clTriplets *T,
                               clStorage storage, const txStorage *operations, bool transposable) {
  clMatrix *A = txAllocate(txContextError(context), create, 1, sizeof *A, "a clMatrix");
  if (!A)
    return TEXLA_OUT_OF_MEMORY;
  *A = (clMatrix){.context = context,
                  .rows = T->rows,
                  .cols = T->cols,
                  .count = T->count,
                  .storage = storage,
                  .operations = operations,
                  .transposable = transposable};
  txMatrixDescribe(A, "%s", clStorageName(storage));
  *out = A;
  return TEXLA_OK;
}

/* A failed creation leaves nothing behind. */
clStatus txMatrixCreateAs(clMatrix **out, clContext *context, const txRows *rows,
                          const clMatrixOptions *options, const txStorage *operations,
                          bool transposable) {
  clMatrix *A = NULL;
  TRY(matrixAllocate(&A, context, rows->A, options->storage, operations, transposable));
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txMatrixLayouts(A, create, options));
  TRY_CLEANUP(operations->create(A, create, rows, options));
  *out = A;
  return TEXLA_OK;
cleanup:
  clMatrixDestroy(A);
  return status;
}

clStatus txMatrixCreateBetween(clMatrix **out, clContext *context, const txRows *rows,
                               clStorage storage, const txStorage *operations, const txLayout *y,
                               const txLayout *x) {
  const clMatrixOptions options = {.storage = storage, .linear = !y->grid};
  clMatrix *A = NULL;
  TRY(matrixAllocate(&A, context, rows->A, storage, operations, false));
  A->row_layout = *y;
  A->col_layout = *x;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(operations->create(A, create, rows, &options));
  *out = A;
  return TEXLA_OK;
cleanup:
  clMatrixDestroy(A);
  return status;
}

clMatrixOptions txMatrixLike(const clMatrix *A, clStorage storage) {
  const txLayout *layout = &A->row_layout;
  clMatrixOptions options = {.storage = storage, .linear = !layout->grid};
  if (layout->grid) {
    options.grid_nx = (int)layout->row;
    options.grid_ny = (int)(layout->length / layout->row);
  }
  return options;
}

/* A part of A has A's layouts, its transpose the other way round. */
clStatus txMatrixCreateBeside(clMatrix **out, const clMatrix *A, const clTriplets *T,
                              clStorage storage, const txStorage *operations) {
  txRows rows;
  const txLayout *y = &A->row_layout, *x = &A->col_layout;
  if (T->rows != A->rows || T->cols != A->cols) {
    y = &A->col_layout;
    x = &A->row_layout;
  }
  TRY(txRowsFind(&rows, T, create, txContextError(A->context)));
  clStatus status = txMatrixCreateBetween(out, A->context, &rows, storage, operations, y, x);
  txRowsForget(&rows);
  return status;
}

/* A transpose that is A itself is not another matrix. */
void clMatrixDestroy(clMatrix *A) {
  if (!A)
    return;
  if (A->operations)
    A->operations->destroy(A);
  clTripletsDestroy(A->host);
  clMatrixDestroy(A->low);
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

int64_t clMatrixEntries(const clMatrix *A) {
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

clStatus clMatrixCreateVector(clVector **out, const clMatrix *A, clMatrixSpace space) {
  if (!out || !A)
    return txFail(txMatrixError(A), TEXLA_BAD_ARGUMENT, "clMatrixCreateVector",
                  "out and A must not be NULL");
  if (space != TEXLA_RANGE && space != TEXLA_DOMAIN)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, "clMatrixCreateVector",
                  "unknown space %d", (int)space);
  return txVectorCreate(out, A->context, "clMatrixCreateVector",
                        space == TEXLA_RANGE ? &A->row_layout : &A->col_layout);
}
