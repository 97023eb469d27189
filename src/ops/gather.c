#include "ops/gather.h"

#include <stdio.h>
#include <string.h>

static bool sameEntries(const clTriplets *A, const clTriplets *B) {
  size_t n = (size_t)A->count;
  return A->rows == B->rows && A->cols == B->cols &&
         (n == 0 || (!memcmp(A->row, B->row, n * sizeof *A->row) && !memcmp(A->col, B->col, n * sizeof *A->col) &&
                     !memcmp(A->value, B->value, n * sizeof *A->value)));
}

static clStatus buildTransposed(clMatrix *A) {
  clTriplets *T = NULL;
  clStatus status = clTripletsTranspose(&T, A->host, txContextError(A->context));
  if (status)
    return status;
  if (sameEntries(T, A->host)) {
    A->transpose = A;
  } else {
    clMatrixOptions options = txMatrixLike(A, A->storage);
    status = clMatrixCreate(&A->transpose, A->context, T, &options);
    if (!status)
      txMatrixForget(A->transpose);
  }
  if (!status)
    txMatrixForget(A);
  clTripletsDestroy(T);
  return status;
}

clStatus txTransposed(const char *call, const clMatrix *A, const clMatrix **out) {
  clStatus status = txContextEnter(A->context, call);
  if (!status && !A->transpose)
    status = buildTransposed((clMatrix *)A);
  if (!status)
    *out = A->transpose;
  return status;
}

clStatus txGatherDiagonal(const char *call, clVector *d, const clMatrix *A) {
  const txGather *g = A->data;
  txPass pass = {.kernel = "copy", .source = {{"x", g->diagonal, TX_EDGE}}};
  return txVectorRun(call, &pass, d);
}

void txCombine(txPass *pass, char *defines, size_t n, float ca, float cb, const clVector *b) {
  txPassUniform(pass, (txUniform){"combine_factor", 2, {ca, cb}, NULL, false});
  size_t used = strlen(defines);
  if (b) {
    snprintf(defines + used, n - used, "#define COMBINE_B\n");
    int i = 0;
    while (pass->source[i].name)
      i++;
    pass->source[i] = (txSource){"combine_b", b->texture, TX_EDGE};
  }
  pass->defines = defines;
}
