#include "objects/matrix.h"

static clStatus create(clMatrix *A, const char *call, const clTriplets *T, const clMatrixOptions *options) {
  (void)T;
  (void)options;
  return txFail(txContextError(A->context), TEXLA_UNSUPPORTED, call, "the storage dense is not there yet");
}

static void destroy(clMatrix *A) {
  (void)A;
}

const txStorageLife txDenseLife = {create, destroy};

clStatus clMatrixCreateDense(clMatrix **out, clContext *context, int32_t rows, int32_t cols, const float *values,
                             int64_t lead) {
  (void)out, (void)rows, (void)cols, (void)values, (void)lead;
  return txFail(txContextError(context), TEXLA_UNSUPPORTED, "clMatrixCreateDense",
                "the storage dense is not there yet");
}
