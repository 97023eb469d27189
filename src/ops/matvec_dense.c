#include "ops/matvec.h"

static clStatus multiply(const char *call, clVector *y, float ca, const clMatrix *A, bool transposed, const clVector *x,
                         float cb, const clVector *b) {
  (void)y, (void)ca, (void)transposed, (void)x, (void)cb, (void)b;
  return txFail(txContextError(A->context), TEXLA_UNSUPPORTED, call, "the storage dense is not there yet");
}

static clStatus diagonal(const char *call, clVector *d, const clMatrix *A) {
  (void)d;
  return txFail(txContextError(A->context), TEXLA_UNSUPPORTED, call, "the storage dense is not there yet");
}

const txStorageOps txDenseOps = {multiply, diagonal};
