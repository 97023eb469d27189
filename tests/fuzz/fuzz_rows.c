/* The look at rows that repeat: products and symmetry as by the entries. The bytes are entries:
 * row, column, value. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "core/rows.h"

const char *fuzzSeed(int k, size_t *size) {
  static const char grid[] = "\x08\x08"
                             "\0\0\4\0\1\1\1\0\1\1\1\4\1\2\1\2\1\1\2\2\4\2\3\1\3\2\1\3\3\4";
  static const char diagonal[] = "\x05\x09"
                                 "\0\0\1\1\1\1\2\2\1\3\3\1\4\4\1";
  static const char corners[] = "\x03\x03"
                                "\0\0\1\0\1\2\1\0\2\2\2\xff";
  static const char *const seeds[] = {grid, diagonal, corners, NULL};
  static const size_t sizes[] = {sizeof grid - 1, sizeof diagonal - 1, sizeof corners - 1};
  if (seeds[k])
    *size = sizes[k];
  return seeds[k];
}

/* Every value is a small integer: sums are exact in any order. */
static void checkProduct(const txRows *rows, const clTriplets *A) {
  double x[256], y[256], wanted[256] = {0};
  for (int j = 0; j < A->cols; j++)
    x[j] = (j * 7) % 11 - 5;
  for (int64_t k = 0; k < A->count; k++)
    wanted[A->row[k]] += A->value[k] * x[A->col[k]];
  txRowsMultiply(y, rows, x, 0, A->rows);
  for (int i = 0; i < A->rows; i++)
    fuzzAssert(y[i] == wanted[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  int rows = 1 + data[0] % 200, cols = 1 + data[1] % 200;
  clTriplets *A = NULL;
  txRows look;
  clError error = {0};
  fuzzAssert(clTripletsCreate(&A, rows, cols, 0, &error) == TEXLA_OK);
  for (size_t k = 2; k + 2 < size; k += 3)
    fuzzAssert(clTripletsAdd(A, data[k] % rows, data[k + 1] % cols, (int8_t)data[k + 2], &error) ==
               TEXLA_OK);
  fuzzAssert(clTripletsCompress(A, &error) == TEXLA_OK);
  if (A->count > 0) {
    fuzzAssert(txRowsFind(&look, A, "fuzz", &error) == TEXLA_OK);
    checkProduct(&look, A);
    fuzzAssert(rows != cols || txRowsSymmetric(&look, 0) == clTripletsIsSymmetric(A, 0));
    txRowsForget(&look);
  }
  clTripletsDestroy(A);
  return 0;
}
