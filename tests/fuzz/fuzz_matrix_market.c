/* Matrix Market files: what is read can be written and read again, and is the same matrix. */
#include "fuzz/fuzz.h"

#include <unistd.h>

#include "texla/io.h"

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seeds[] = {
      "%%MatrixMarket matrix coordinate real general\n% comment\n3 4 4\n1 1 1.5\n2 3 -2e3\n3 4 "
      "1e-300\n1 2 0\n",
      "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n2 1 -1\n3 3 2\n",
      "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n",
      "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 7\n",
      "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 7 1\n",
      "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
      "%%MatrixMarket matrix array real general\n3 1\n1\nnan\n3d5\n",
      NULL};
  (void)size;
  return seeds[k];
}

static void readBack(const clTriplets *A) {
  char path[64];
  snprintf(path, sizeof path, "/dev/shm/texla-fuzz-%ld.mtx", (long)getpid());
  clTriplets *B = NULL;
  clError error = {0};
  /* Inf and NaN cannot be written */
  if (clMatrixMarketWrite(path, A, false, "fuzz\nline", &error))
    return;
  fuzzAssert(clMatrixMarketRead(&B, path, &error) == TEXLA_OK);
  fuzzAssert(B->rows == A->rows && B->cols == A->cols && B->count == A->count);
  for (int64_t k = 0; k < A->count; k++)
    fuzzAssert(A->row[k] == B->row[k] && A->col[k] == B->col[k] && A->value[k] == B->value[k]);
  clTripletsDestroy(B);
  unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  clTriplets *A = NULL;
  clError error = {0};
  double *x = NULL;
  int64_t count = 0;
  clStatus status = clMatrixMarketRead(&A, fuzzFile(data, size), &error);
  fuzzAssert(status == TEXLA_OK ? A != NULL : A == NULL && error.message[0]);
  if (A && A->count < 1000)
    readBack(A);
  clTripletsDestroy(A);
  memset(&error, 0, sizeof error);
  status = clMatrixMarketReadVector(&x, &count, fuzzFile(data, size), &error);
  fuzzAssert(status == TEXLA_OK ? x && count > 0 : !x && error.message[0]);
  free(x);
  return 0;
}
