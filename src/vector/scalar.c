/* clFloat: life and transfer (K1). */
#include "vector/scalar.h"
#include "core/try.h"
#include "core/allocate.h"
#include "vector/run.h"

#include <stdlib.h>

static const txRect whole = {0, 0, 1, 1};

/* Where a call leaves its message: with the first operand that is one. */
static clError *scalarErrorOf(const clFloat *s, const clFloat *a, const clFloat *b) {
  if (s)
    return txContextError(s->context);
  if (a)
    return txContextError(a->context);
  if (b)
    return txContextError(b->context);
  return NULL;
}

/* One texel, which passes sample for every vertex. */
clStatus clFloatCreate(clFloat **out, clContext *context) {
  static const char call[] = "clFloatCreate";
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL");
  clFloat *s = txAllocate(txContextError(context), call, 1, sizeof *s, "a clFloat");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  s->context = context;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(&s->texture, context, call, TX_R32F, 1, 1));
  s->texture->meaning.kind = "scalar";
  TRY_CLEANUP(clFloatUpload(s, 0));
  *out = s;
  return TEXLA_OK;
cleanup:
  clFloatDestroy(s);
  return status;
}

void clFloatDestroy(clFloat *s) {
  if (!s)
    return;
  txTextureDestroy(s->texture);
  free(s);
}

clStatus clFloatUpload(clFloat *s, float value) {
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  return txTextureWrite(s->texture, "clFloatUpload", whole, &value);
}

/* Waits until the device has computed it. */
clStatus clFloatDownload(const clFloat *s, float *value) {
  if (!s || !value)
    return txFail(scalarErrorOf(s, NULL, NULL), TEXLA_BAD_ARGUMENT, "clFloatDownload",
                  "s and value must not be NULL");
  return txTextureRead(s->texture, "clFloatDownload", whole, value);
}

/* Arithmetic of clFloats (K1): passes over one texel. */

/* s <- RESULT of a and b, by a pass over one texel: nothing comes to the host. */
static clStatus scalarEvaluate(const char *call, const char *defines, clFloat *s, const clFloat *a,
                               const clFloat *b) {
  if (!s || !a || !b)
    return txFail(scalarErrorOf(s, a, b), TEXLA_BAD_ARGUMENT, call, "no operand may be NULL");
  txPass pass = {.kernel = "scalar", .defines = defines};
  TRY(txPassScalar(call, &pass, 0, a, s->context));
  TRY(txPassScalar(call, &pass, 1, b, s->context));
  return txScalarRun(call, &pass, s);
}

clStatus clFloatCopy(clFloat *s, const clFloat *a) {
  return scalarEvaluate("clFloatCopy", "#define RESULT a\n", s, a, a);
}

clStatus clFloatAdd(clFloat *s, const clFloat *a, const clFloat *b) {
  return scalarEvaluate("clFloatAdd", "#define RESULT a + b\n", s, a, b);
}

clStatus clFloatSub(clFloat *s, const clFloat *a, const clFloat *b) {
  return scalarEvaluate("clFloatSub", "#define RESULT a - b\n", s, a, b);
}

clStatus clFloatMul(clFloat *s, const clFloat *a, const clFloat *b) {
  return scalarEvaluate("clFloatMul", "#define RESULT a * b\n", s, a, b);
}

clStatus clFloatDiv(clFloat *s, const clFloat *a, const clFloat *b) {
  return scalarEvaluate("clFloatDiv", "#define RESULT a / b\n", s, a, b);
}

clStatus clFloatDivZ(clFloat *s, const clFloat *a, const clFloat *b) {
  return scalarEvaluate("clFloatDivZ", "#define RESULT divZ(a, b)\n", s, a, b);
}

clStatus clFloatSqrt(clFloat *s, const clFloat *a) {
  return scalarEvaluate("clFloatSqrt", "#define RESULT sqrt(a)\n", s, a, a);
}
