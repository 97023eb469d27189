/* Matrix Market writer: coordinate format for matrices, arrays for vectors and dense ones. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/rows.h"
#include "core/try.h"
#include "io/matrix_market.h"
#include "io/number.h"

/* Header and comment; every line of the comment becomes a % line. */
static void matrixMarketWriteWriteHead(FILE *file, const char *format, const char *symmetry,
                                       const char *comment) {
  fprintf(file, "%%%%MatrixMarket matrix %s real %s\n", format, symmetry);
  while (comment && *comment) {
    size_t length = strcspn(comment, "\r\n");
    fprintf(file, "%% %.*s\n", (int)length, comment);
    comment += length;
    comment += *comment == '\r';
    comment += *comment == '\n';
  }
}

/* One fwrite a line, as printf would take most of the time. */
static void writeEntry(FILE *file, int32_t i, int32_t j, double value) {
  char line[3 * TX_NUMBER_SIZE];
  size_t length = txIntegerFormat(line, (int64_t)i + 1);
  line[length++] = ' ';
  length += txIntegerFormat(line + length, (int64_t)j + 1);
  line[length++] = ' ';
  length += txNumberFormat(line + length, value);
  line[length++] = '\n';
  fwrite(line, 1, length, file);
}

/* A symmetric matrix is written as its lower triangle. */
clStatus txMatrixMarketPrepare(txOutput *output, const char *path, const clTriplets *A,
                               bool symmetric, const char *comment, clError *error) {
  const char *call = "clMatrixMarketWrite";
  *output = (txOutput){0};
  if (!A)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the matrix is NULL");
  bool fits = true;
  const char *symmetry = symmetric ? "symmetric" : "general";
  if (symmetric)
    TRY(txTripletsSymmetric(&fits, A, 0, call, error));
  if (!fits)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "the %d x %d matrix is not symmetric: write it as general", A->rows, A->cols);
  int64_t entries = 0;
  for (int64_t k = 0; k < A->count; k++)
    entries += !symmetric || A->row[k] >= A->col[k];
  TRY(txOutputOpen(output, path, call, error));
  matrixMarketWriteWriteHead(output->file, "coordinate", symmetry, comment);
  fprintf(output->file, "%d %d %lld\n", A->rows, A->cols, (long long)entries);
  for (int64_t k = 0; k < A->count; k++)
    if (!symmetric || A->row[k] >= A->col[k])
      writeEntry(output->file, A->row[k], A->col[k], A->value[k]);
  return TEXLA_OK;
}

/* The file appears when it is complete (core/output.h). */
clStatus clMatrixMarketWrite(const char *path, const clTriplets *A, bool symmetric,
                             const char *comment, clError *error) {
  txOutput output;
  TRY(txMatrixMarketPrepare(&output, path, A, symmetric, comment, error));
  return txOutputCommit(&output, error);
}

/* One number a line, column after column, as it lies in x. */
clStatus txMatrixMarketPrepareArray(txOutput *output, const char *call, const char *path,
                                    const double *x, int64_t rows, int64_t cols,
                                    const char *comment, clError *error) {
  const char *object = cols == 1 ? "vector" : "matrix";
  *output = (txOutput){0};
  if (!x)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s is NULL", object);
  if (rows < 1 || cols < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s is empty", object);
  for (int64_t k = 0; k < rows * cols; k++) {
    if (!isfinite(x[k]))
      return txFail(error, TEXLA_NOT_FINITE, call,
                    "element %lld of the %s is %g: a Matrix Market file cannot hold it",
                    (long long)k, object, x[k]);
  }
  TRY(txOutputOpen(output, path, call, error));
  matrixMarketWriteWriteHead(output->file, "array", "general", comment);
  fprintf(output->file, "%lld %lld\n", (long long)rows, (long long)cols);
  for (int64_t k = 0; k < rows * cols; k++) {
    char line[TX_NUMBER_SIZE + 1];
    size_t length = txNumberFormat(line, x[k]);
    line[length++] = '\n';
    fwrite(line, 1, length, output->file);
  }
  return TEXLA_OK;
}

/* The file appears when it is complete (core/output.h). */
clStatus clMatrixMarketWriteArray(const char *path, const double *x, int64_t rows, int64_t cols,
                                  const char *comment, clError *error) {
  txOutput output;
  TRY(txMatrixMarketPrepareArray(&output, "clMatrixMarketWriteArray", path, x, rows, cols, comment,
                                 error));
  return txOutputCommit(&output, error);
}

/* A vector is an array of one column. */
clStatus clMatrixMarketWriteVector(const char *path, const double *x, int64_t count,
                                   const char *comment, clError *error) {
  txOutput output;
  TRY(txMatrixMarketPrepareArray(&output, "clMatrixMarketWriteVector", path, x, count, 1, comment,
                                 error));
  return txOutputCommit(&output, error);
}
