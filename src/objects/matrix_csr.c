#include "objects/matrix.h"

static clStatus create(clMatrix *A, const char *call, const clTriplets *T, const clMatrixOptions *options) {
  (void)T;
  (void)options;
  return txFail(txContextError(A->context), TEXLA_UNSUPPORTED, call, "the storage csr is not there yet");
}

static void destroy(clMatrix *A) {
  (void)A;
}

const txStorageLife txCsrLife = {create, destroy};
