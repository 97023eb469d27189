/* clFloat: life and transfer (K1). */
#include "vector/scalar.h"
#include "core/allocate.h"
#include "vector/run.h"

#include <stdlib.h>

static const txRect whole = {0, 0, 1, 1};

clStatus clFloatCreate(clFloat **out, clContext *context) {
  static const char call[] = "clFloatCreate";
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL");
  clFloat *s = txAllocate(txContextError(context), call, 1, sizeof *s, "a clFloat");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  s->context = context;
  clStatus status = txTextureCreate(&s->texture, context, call, TX_R32F, 1, 1);
  if (!status)
    s->texture->meaning.kind = "scalar";
  if (!status)
    status = clFloatUpload(s, 0);
  if (status) {
    clFloatDestroy(s);
    return status;
  }
  *out = s;
  return TEXLA_OK;
}

void clFloatDestroy(clFloat *s) {
  if (!s)
    return;
  txTextureDestroy(s->texture);
  free(s);
}

clStatus clFloatUpload(clFloat *s, float value) {
  return s ? txTextureWrite(s->texture, "clFloatUpload", whole, &value) : TEXLA_BAD_ARGUMENT;
}

clStatus clFloatDownload(const clFloat *s, float *value) {
  if (!s || !value)
    return txFail(s ? txContextError(s->context) : NULL, TEXLA_BAD_ARGUMENT, "clFloatDownload",
                  "s and value must not be NULL");
  return txTextureRead(s->texture, "clFloatDownload", whole, value);
}

/* Arithmetic of clFloats (K1): passes over one texel. */

static clStatus evaluate(const char *call, const char *defines, clFloat *s, const clFloat *a,
                         const clFloat *b) {
  const clFloat *known = s ? s : a ? a : b;
  if (!s || !a || !b)
    return txFail(known ? txContextError(known->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "no operand may be NULL");
  clStatus status = TEXLA_OK;
  txPass pass = {.kernel = "scalar",
                 .defines = defines,
                 .scalar = {txScalarTexture(a, s->context, call, &status),
                            txScalarTexture(b, s->context, call, &status)}};
  return status ? status : txScalarRun(call, &pass, s);
}

clStatus clFloatCopy(clFloat *s, const clFloat *a) {
  return evaluate("clFloatCopy", "#define RESULT a\n", s, a, a);
}

clStatus clFloatAdd(clFloat *s, const clFloat *a, const clFloat *b) {
  return evaluate("clFloatAdd", "#define RESULT a + b\n", s, a, b);
}

clStatus clFloatSub(clFloat *s, const clFloat *a, const clFloat *b) {
  return evaluate("clFloatSub", "#define RESULT a - b\n", s, a, b);
}

clStatus clFloatMul(clFloat *s, const clFloat *a, const clFloat *b) {
  return evaluate("clFloatMul", "#define RESULT a * b\n", s, a, b);
}

clStatus clFloatDiv(clFloat *s, const clFloat *a, const clFloat *b) {
  return evaluate("clFloatDiv", "#define RESULT a / b\n", s, a, b);
}

clStatus clFloatDivZ(clFloat *s, const clFloat *a, const clFloat *b) {
  return evaluate("clFloatDivZ", "#define RESULT divZ(a, b)\n", s, a, b);
}

clStatus clFloatSqrt(clFloat *s, const clFloat *a) {
  return evaluate("clFloatSqrt", "#define RESULT sqrt(a)\n", s, a, a);
}
