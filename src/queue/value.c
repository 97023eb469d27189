/* The forms of a value, and the ways from one to another. */
#include "queue/value.h"
#include "core/allocate.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

int64_t txValueLength(const txValue *v) {
  return v->rows * v->cols;
}

size_t txValueBytes(const txValue *v) {
  size_t n = (size_t)txValueLength(v), bytes = 0;
  bytes += v->vector ? n * sizeof(float) : 0;
  bytes += v->dense ? n * sizeof(float) : 0;
  bytes += v->single ? n * sizeof(float) : 0;
  bytes += v->host ? n * sizeof(double) : 0;
  size_t entries = v->triplets ? (size_t)v->triplets->count : 0;
  return bytes + entries * (sizeof(double) + 2 * sizeof(int32_t)) * (v->matrix ? 2 : 1);
}

void txValueClearDevice(txValue *v) {
  clVectorDestroy(v->vector);
  clDenseDestroy(v->dense);
  clMatrixDestroy(v->matrix);
  v->vector = NULL;
  v->dense = NULL;
  v->matrix = NULL;
}

void txValueClear(txValue *v) {
  txValueClearDevice(v);
  clTripletsDestroy(v->triplets);
  free(v->host);
  free(v->single);
  v->triplets = NULL;
  v->host = NULL;
  v->single = NULL;
}

static void *allocate(const txValue *v, const char *call, size_t size, clError *error) {
  return txAllocate(error, call, (size_t)txValueLength(v), size, "a matrix");
}

static clStatus contextFailed(clStatus status, const clContext *context, clError *error) {
  if (status < 0 && error)
    *error = *clContextError(context);
  return status;
}

/* The value's doubles as floats; the caller frees *out. */
static clStatus rounded(const txValue *v, const char *call, float **out, clError *error) {
  int64_t n = txValueLength(v);
  float *values = allocate(v, call, sizeof *values, error);
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
static clStatus spread(const txValue *v, const char *call, double **out, clError *error) {
  const clTriplets *T = v->triplets;
  if (txValueLength(v) > INT_MAX)
    return txFail(error, TEXLA_TOO_LARGE, call,
                  "a sparse %d x %d matrix is too large to be used with its zeros", (int)T->rows,
                  (int)T->cols);
  double *values = allocate(v, call, sizeof *values, error);
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < T->count; k++)
    values[T->row[k] + (int64_t)T->rows * T->col[k]] += T->value[k];
  *out = values;
  return TEXLA_OK;
}

static clStatus uploaded(const txValue *v, const char *call, clVector *x, clError *error) {
  if (v->single)
    return contextFailed(clVectorUpload(x, v->single), clVectorContext(x), error);
  float *values = NULL;
  clStatus status = rounded(v, call, &values, error);
  if (!status)
    status = contextFailed(clVectorUpload(x, values), clVectorContext(x), error);
  free(values);
  return status;
}

clStatus txValueVector(txValue *v, clContext *context, const char *call, clVector **out,
                       clError *error) {
  clStatus status = TEXLA_OK;
  if (!v->vector) {
    clVector *x = NULL;
    if (v->triplets && !v->host && !v->dense && (status = spread(v, call, &v->host, error)))
      return status;
    status = contextFailed(clVectorCreate(&x, context, txValueLength(v)), context, error);
    if (!status)
      status = v->dense ? contextFailed(clDenseToVector(x, v->dense), context, error)
                        : uploaded(v, call, x, error);
    if (status) {
      clVectorDestroy(x);
      return status;
    }
    v->vector = x;
  }
  *out = v->vector;
  return status;
}

clStatus txValueDense(txValue *v, clContext *context, const char *call, clDense **out,
                      clError *error) {
  if (!v->dense) {
    clVector *x;
    clDense *A = NULL;
    clStatus status = txValueVector(v, context, call, &x, error);
    if (!status)
      status =
          contextFailed(clDenseCreate(&A, context, (int)v->rows, (int)v->cols), context, error);
    if (!status)
      status = contextFailed(clDenseFromVector(A, x), context, error);
    if (status) {
      clDenseDestroy(A);
      return status;
    }
    v->dense = A;
  }
  *out = v->dense;
  return TEXLA_OK;
}

static clStatus downloaded(txValue *v, clContext *context, const char *call, double *values,
                           clError *error) {
  clVector *x;
  int64_t n = txValueLength(v);
  clStatus status = txValueVector(v, context, call, &x, error);
  float *read = status ? NULL : allocate(v, call, sizeof *read, error);
  if (!status)
    status = read ? contextFailed(clVectorDownload(x, read), context, error) : TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < n && !status; k++)
    values[k] = (double)read[k];
  free(read);
  return status;
}

clStatus txValueHost(txValue *v, clContext *context, const char *call, double **out,
                     clError *error) {
  clStatus status = TEXLA_OK;
  if (!v->host) {
    int64_t n = txValueLength(v);
    double *values = NULL;
    if (v->triplets)
      status = spread(v, call, &values, error);
    else if (!(values = allocate(v, call, sizeof *values, error)))
      status = TEXLA_OUT_OF_MEMORY;
    if (status)
      return status;
    for (int64_t k = 0; k < n && v->single; k++)
      values[k] = (double)v->single[k];
    if (!v->single && !v->triplets)
      status = downloaded(v, context, call, values, error);
    if (status) {
      free(values);
      return status;
    }
    v->host = values;
  }
  *out = v->host;
  return status;
}

/* ---- Matrices in the caller's memory --------------------------------------------------------- */

bool txHostIsMatrix(const clHostMatrix *A) {
  return A && A->rows >= 0 && A->cols >= 0 && A->rows <= INT_MAX && A->cols <= INT_MAX &&
         (A->values || !A->rows || !A->cols) &&
         (A->type == TEXLA_HOST_FLOAT || A->type == TEXLA_HOST_DOUBLE);
}

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

void txHostCopy(const clHostMatrix *to, const clHostMatrix *from) {
  static void (*const copies[2][2])(const clHostMatrix *, const clHostMatrix *, int64_t, int64_t,
                                    int64_t, int64_t) = {{copyFloatFloat, copyFloatDouble},
                                                         {copyDoubleFloat, copyDoubleDouble}};
  for (int64_t j = 0; j < to->cols; j += BLOCK)
    for (int64_t i = 0; i < to->rows; i += BLOCK)
      copies[to->type][from->type](to, from, i, j, to->rows - i < BLOCK ? to->rows - i : BLOCK,
                                   to->cols - j < BLOCK ? to->cols - j : BLOCK);
}
