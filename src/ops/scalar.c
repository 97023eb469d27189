/* Arithmetic of clFloats (K1): passes over one texel. */
#include "ops/run.h"

static clStatus evaluate(const char *call, const char *defines, clFloat *s, const clFloat *a, const clFloat *b) {
  const clFloat *known = s ? s : a ? a : b;
  if (!s || !a || !b)
    return txFail(known ? txContextError(known->context) : NULL, TEXLA_BAD_ARGUMENT, call, "no operand may be NULL");
  clStatus status = TEXLA_OK;
  txPass pass = {
      .kernel = "scalar",
      .defines = defines,
      .scalar = {txScalarTexture(a, s->context, call, &status), txScalarTexture(b, s->context, call, &status)}};
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
