/* The forms of a value, and the ways from one to another.
 *
 * The vector is the hub: dense matrices are packed from it and unpacked into it, the host's numbers
 * are uploaded to it and read from it. A sparse value is spread out on the host first. */
#include "queue/value.h"
#include "core/allocate.h"
#include "core/try.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Entries of the full matrix, whatever its form. */
int64_t txValueLength(const txValue *v) {
  return v->rows * v->cols;
}

/* What the limits of the queue count. */
size_t txValueBytes(const txValue *v) {
  size_t n = (size_t)txValueLength(v), bytes = 0;
  if (v->vector)
    bytes += n * sizeof(float);
  if (v->dense)
    bytes += n * sizeof(float);
  if (v->single)
    bytes += n * sizeof(float);
  if (v->host)
    bytes += n * sizeof(double);
  if (!v->triplets)
    return bytes;
  size_t sparse = (size_t)v->triplets->count * (sizeof(double) + 2 * sizeof(int32_t));
  if (v->matrix)
    sparse *= 2;
  return bytes + sparse;
}

/* Only in the worker's thread. */
void txValueClearDevice(txValue *v) {
  clVectorDestroy(v->vector);
  clDenseDestroy(v->dense);
  clMatrixDestroy(v->matrix);
  v->vector = NULL;
  v->dense = NULL;
  v->matrix = NULL;
}

/* The shape stays. */
void txValueClear(txValue *v) {
  txValueClearDevice(v);
  clTripletsDestroy(v->triplets);
  free(v->host);
  free(v->single);
  v->triplets = NULL;
  v->host = NULL;
  v->single = NULL;
}

static void *valueAllocate(const txValue *v, const char *call, size_t size, clError *error) {
  return txAllocate(error, call, (size_t)txValueLength(v), size, "a matrix");
}

/* The context belongs to the worker, and its message would be gone for the caller. */
static clStatus contextFailed(clStatus status, const clContext *context, clError *error) {
  if (status < 0 && error)
    *error = *clContextError(context);
  return status;
}

/* The value's doubles as floats; the caller frees *out. */
static clStatus rounded(const txValue *v, const char *call, float **out, clError *error) {
  int64_t n = txValueLength(v);
  float *values = valueAllocate(v, call, sizeof *values, error);
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < n; k++) {
    values[k] = (float)v->host[k];
    if (isinf(values[k]) && !isinf(v->host[k])) {
      free(values);
      return txFail(error, TEXLA_NOT_FINITE, call,
                    "entry (%lld, %lld) is %g, which single precision cannot hold",
                    (long long)(k % v->rows) + 1, (long long)(k / v->rows) + 1, v->host[k]);
    }
  }
  *out = values;
  return TEXLA_OK;
}

/* *out <- the sparse matrix column after column, with its zeros; the caller frees it. */
static clStatus valueSpread(const txValue *v, const char *call, double **out, clError *error) {
  const clTriplets *T = v->triplets;
  if (txValueLength(v) > INT_MAX)
    return txFail(
        error, TEXLA_TOO_LARGE, call,
        "a sparse %d x %d matrix is too large to be used with its zeros; use parts of it, "
        "or fetch it and compute with the host's own sparse matrices",
        (int)T->rows, (int)T->cols);
  double *values = valueAllocate(v, call, sizeof *values, error);
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < T->count; k++)
    values[T->row[k] + (int64_t)T->rows * T->col[k]] += T->value[k];
  *out = values;
  return TEXLA_OK;
}

/* Floats as they are, doubles rounded. */
static clStatus uploaded(const txValue *v, const char *call, clVector *x, clError *error) {
  if (v->single)
    return contextFailed(clVectorUpload(x, v->single), clVectorContext(x), error);
  float *values = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(rounded(v, call, &values, error));
  TRY_CLEANUP(contextFailed(clVectorUpload(x, values), clVectorContext(x), error));
cleanup:
  free(values);
  return status;
}

/* From the packed form where that is there, else from the host's; a sparse value gets its zeros
 * first. */
static clStatus makeVector(txValue *v, clContext *context, const char *call, clError *error) {
  clVector *x = NULL;
  if (v->triplets && !v->host && !v->dense)
    TRY(valueSpread(v, call, &v->host, error));
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(contextFailed(clVectorCreate(&x, context, txValueLength(v)), context, error));
  if (v->dense)
    TRY_CLEANUP(contextFailed(clDenseToVector(x, v->dense), context, error));
  else
    TRY_CLEANUP(uploaded(v, call, x, error));
  v->vector = x;
  x = NULL;
cleanup:
  clVectorDestroy(x);
  return status;
}

/* Made once, and kept. */
clStatus txValueVector(txValue *v, clContext *context, const char *call, clVector **out,
                       clError *error) {
  if (!v->vector)
    TRY(makeVector(v, context, call, error));
  *out = v->vector;
  return TEXLA_OK;
}

/* The packed form by way of the vector. */
static clStatus valueMakeDense(txValue *v, clContext *context, const char *call, clError *error) {
  clVector *x;
  clDense *A = NULL;
  int rows = (int)v->rows, cols = (int)v->cols;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txValueVector(v, context, call, &x, error));
  TRY_CLEANUP(contextFailed(clDenseCreate(&A, context, rows, cols), context, error));
  TRY_CLEANUP(contextFailed(clDenseFromVector(A, x), context, error));
  v->dense = A;
  A = NULL;
cleanup:
  clDenseDestroy(A);
  return status;
}

/* Made once, and kept. */
clStatus txValueDense(txValue *v, clContext *context, const char *call, clDense **out,
                      clError *error) {
  if (!v->dense)
    TRY(valueMakeDense(v, context, call, error));
  *out = v->dense;
  return TEXLA_OK;
}

/* A float is exact as a double. */
static void valueWiden(double *to, const float *from, int64_t n) {
  for (int64_t k = 0; k < n; k++)
    to[k] = (double)from[k];
}

/* Through single precision, as that is what the device has. */
static clStatus downloaded(txValue *v, clContext *context, const char *call, double *values,
                           clError *error) {
  clVector *x;
  TRY(txValueVector(v, context, call, &x, error));
  float *read = valueAllocate(v, call, sizeof *read, error);
  if (!read)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(contextFailed(clVectorDownload(x, read), context, error));
  valueWiden(values, read, txValueLength(v));
cleanup:
  free(read);
  return status;
}

/* From the triplets, from floats on the host, or from the device. */
static clStatus makeHost(txValue *v, clContext *context, const char *call, clError *error) {
  if (v->triplets)
    return valueSpread(v, call, &v->host, error);
  double *values = valueAllocate(v, call, sizeof *values, error);
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  if (v->single)
    valueWiden(values, v->single, txValueLength(v));
  else
    TRY_CLEANUP(downloaded(v, context, call, values, error));
  v->host = values;
  values = NULL;
cleanup:
  free(values);
  return status;
}

/* Made once, and kept. */
clStatus txValueHost(txValue *v, clContext *context, const char *call, double **out,
                     clError *error) {
  if (!v->host)
    TRY(makeHost(v, context, call, error));
  *out = v->host;
  return TEXLA_OK;
}

/* ---- Matrices in the caller's memory --------------------------------------------------------- */

/* Empty matrices need no memory. */
bool txHostIsMatrix(const clHostMatrix *A) {
  return A && A->rows >= 0 && A->cols >= 0 && A->rows <= INT_MAX && A->cols <= INT_MAX &&
         (A->values || !A->rows || !A->cols) &&
         (A->type == TEXLA_HOST_FLOAT || A->type == TEXLA_HOST_DOUBLE);
}

/* Without steps, column after column. */
clHostMatrix txHostSteps(clHostMatrix A) {
  if (!A.row_step && !A.col_step) {
    A.row_step = 1;
    A.col_step = A.rows;
  }
  return A;
}

enum { BLOCK = 32 };

#define COPY(name, To, From)                                                                       \
  static void name(const clHostMatrix *to, const clHostMatrix *from, int64_t row, int64_t col,     \
                   int64_t rows, int64_t cols) {                                                   \
    To *t = to->values;                                                                            \
    const From *f = from->values;                                                                  \
    for (int64_t j = col; j < col + cols; j++)                                                     \
      for (int64_t i = row; i < row + rows; i++)                                                   \
        t[i * to->row_step + j * to->col_step] = (To)f[i * from->row_step + j * from->col_step];   \
  }
COPY(copyFloatFloat, float, float)
COPY(copyFloatDouble, float, double)
COPY(copyDoubleFloat, double, float)
COPY(copyDoubleDouble, double, double)

/* Block by block, so that rows and columns stay in the cache both. */
void txHostCopy(const clHostMatrix *to, const clHostMatrix *from) {
  static void (*const copies[2][2])(const clHostMatrix *, const clHostMatrix *, int64_t, int64_t,
                                    int64_t, int64_t) = {{copyFloatFloat, copyFloatDouble},
                                                         {copyDoubleFloat, copyDoubleDouble}};
  for (int64_t j = 0; j < to->cols; j += BLOCK)
    for (int64_t i = 0; i < to->rows; i += BLOCK) {
      int64_t rows = to->rows - i < BLOCK ? to->rows - i : BLOCK;
      int64_t cols = to->cols - j < BLOCK ? to->cols - j : BLOCK;
      copies[to->type][from->type](to, from, i, j, rows, cols);
    }
}
