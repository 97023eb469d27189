/* Compressed rows from a caller: positions and columns may be anything, and what is taken comes
 * back sorted, with nothing outside. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "texla/triplets.h"

enum { MOST = 64 };

const char *fuzzSeed(int k, size_t *size) {
  static const char good[] = "\x02\x03\x00\x02\x03\x00\x02\x01",
                    back[] = "\x02\x02\x00\x02\x01\x00\x01";
  static const char *const seeds[] = {good, back, NULL};
  static const size_t sizes[] = {sizeof good - 1, sizeof back - 1};
  if (seeds[k])
    *size = sizes[k];
  return seeds[k];
}

static void checkMatrix(const clTriplets *A, int rows, int cols) {
  int64_t start[MOST + 1];
  clError error = {0};
  fuzzAssert(A->rows == rows && A->cols == cols);
  for (int64_t k = 0; k < A->count; k++)
    fuzzAssert(A->row[k] >= 0 && A->row[k] < rows && A->col[k] >= 0 && A->col[k] < cols &&
               isfinite(A->value[k]));
  fuzzAssert(clTripletsToCsr(A, start, NULL, NULL, &error) == TEXLA_OK);
  fuzzAssert(start[0] == 0 && start[rows] == A->count);
}

/* A byte is a small number; some are ones that must be refused. */
static int64_t numberOf(uint8_t byte) {
  static const int64_t hostile[] = {-1, INT32_MAX, INT64_MAX, INT64_MIN};
  return byte < 252 ? byte : hostile[byte - 252];
}

/* Rows, columns, rows + 1 positions, then columns; memory is as long as the last position says,
 * which is what the call is promised. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3)
    return 0;
  int rows = 1 + data[0] % MOST, cols = 1 + data[1] % MOST;
  int64_t start[MOST + 1] = {0};
  int32_t col[256] = {0};
  double value[256];
  size_t at = 2;
  for (int i = 0; i <= rows && at < size; i++, at++)
    start[i] = numberOf(data[at]);
  for (int k = 0; k < 256; k++) {
    if (at < size)
      col[k] = (int32_t)numberOf(data[at]);
    value[k] = at < size && data[at] == 251 ? NAN : k - 5.;
    at++;
  }
  bool fits = start[rows] <= 256;
  clTriplets *A = NULL;
  clError error = {0};
  if (!fits)
    return 0;
  clStatus status = clTripletsFromCsr(&A, rows, cols, start, col, value, &error);
  fuzzAssert(status == TEXLA_OK ? A != NULL : !A && error.message[0]);
  if (A)
    checkMatrix(A, rows, cols);
  clTripletsDestroy(A);
  return 0;
}
