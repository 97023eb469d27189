/* What is computed with double-float vectors; shaders/include/df64.glsl has the arithmetic. */
#include "vector/double.h"
#include "core/try.h"
#include "gl/traits.h"
#include "vector/reduce.h"

#include <stdio.h>

/* The halves that the checks are about: NULL for NULL. */
static const clVector *doubleOperatorsHigh(const clDoubleVector *x) {
  return x ? &x->high : NULL;
}

static clStatus doubleOperatorsAgree(const char *call, const char *a_name, const clDoubleVector *a,
                                     const char *b_name, const clDoubleVector *b) {
  return txVectorsAgree(call, a_name, doubleOperatorsHigh(a), b_name, doubleOperatorsHigh(b));
}

/* df64.glsl needs to know whether fma rounds once, and refuses devices where it was found to
 * compute wrong. */
clStatus txDoubleRun(const char *call, txPass *pass, const char *defines, clDoubleVector *y) {
  char text[512];
  clContext *context = y->high.context;
  TRY(txDoubleFloatCheck(context, call));
  snprintf(text, sizeof text, "%s%s", txDoubleFloatDefine(context), defines);
  pass->defines = text;
  return txVectorsRun(call, pass, (clVector *const[]){&y->high, &y->low}, 2);
}

clStatus clDoubleVectorFill(clDoubleVector *x, double value) {
  static const char call[] = "clDoubleVectorFill";
  float hi, lo;
  TRY(doubleOperatorsAgree(call, "x", x, NULL, NULL));
  txDoubleSplit(value, &hi, &lo);
  TRY(clVectorFill(&x->high, hi));
  return clVectorFill(&x->low, lo);
}

clStatus clDoubleVectorCopy(clDoubleVector *y, const clDoubleVector *x) {
  if (!x || !y)
    return doubleOperatorsAgree("clDoubleVectorCopy", "y", y, "x", x);
  TRY(clVectorCopy(&y->high, &x->high));
  return clVectorCopy(&y->low, &x->low);
}

/* A float has no lower part. */
clStatus clDoubleVectorFromSingle(clDoubleVector *x, const clVector *y) {
  if (!x || !y)
    return txVectorsAgree("clDoubleVectorFromSingle", "x", doubleOperatorsHigh(x), "y", y);
  TRY(clVectorCopy(&x->high, y));
  return clVectorClear(&x->low);
}

/* The upper half is the float that is nearest to the number. */
clStatus clDoubleVectorToSingle(clVector *y, const clDoubleVector *x) {
  if (!x || !y)
    return txVectorsAgree("clDoubleVectorToSingle", "y", y, "x", doubleOperatorsHigh(x));
  return clVectorCopy(y, &x->high);
}

/* A factor a alpha of a pass: uniforms 2 i and 2 i + 1, scalars likewise. */
static clStatus setFactor(const char *call, txPass *pass, int i, double a, const clDouble *alpha,
                          clContext *context) {
  txDoubleSplit(a, &pass->uniform[0].value[2 * i], &pass->uniform[0].value[2 * i + 1]);
  if (!alpha)
    return TEXLA_OK;
  TRY(txPassScalar(call, pass, 2 * i, &alpha->high, context));
  return txPassScalar(call, pass, 2 * i + 1, &alpha->low, context);
}

/* z <- a alpha (x + x_low) + b beta y; without x_low, y (NULL) in fewer steps. Operands were
 * checked. */
static clStatus doubleOperatorsAdd(const char *call, clDoubleVector *z, double a,
                                   const clDouble *alpha, const clVector *x, const clVector *x_low,
                                   double b, const clDouble *beta, const clDoubleVector *y) {
  char defines[128];
  txPass pass = {.kernel = "double_add", .uniform = {{"factor", 4, {0}}}};
  TRY(setFactor(call, &pass, 0, a, alpha, z->high.context));
  TRY(setFactor(call, &pass, 1, b, beta, z->high.context));
  txPassSource(&pass, "x", x->texture, TX_EDGE);
  if (x_low)
    txPassSource(&pass, "x_low", x_low->texture, TX_EDGE);
  if (y) {
    txPassSource(&pass, "y", y->high.texture, TX_EDGE);
    txPassSource(&pass, "y_low", y->low.texture, TX_EDGE);
  }
  snprintf(defines, sizeof defines, "%s%s%s%s", txWhen(alpha != NULL, "#define ALPHA\n"),
           txWhen(beta != NULL, "#define BETA\n"), txWhen(!x_low, "#define SINGLE\n"),
           txWhen(!y, "#define ALONE\n"));
  return txDoubleRun(call, &pass, defines, z);
}

clStatus clDoubleVectorAdd(clDoubleVector *z, double a, const clDouble *alpha,
                           const clDoubleVector *x, double b, const clDouble *beta,
                           const clDoubleVector *y) {
  static const char call[] = "clDoubleVectorAdd";
  TRY(doubleOperatorsAgree(call, "z", z, "x", x));
  TRY(doubleOperatorsAgree(call, "z", z, "y", y));
  return doubleOperatorsAdd(call, z, a, alpha, &x->high, &x->low, b, beta, y);
}

clStatus clDoubleVectorAxpy(clDoubleVector *y, double a, const clDouble *alpha,
                            const clDoubleVector *x) {
  static const char call[] = "clDoubleVectorAxpy";
  TRY(doubleOperatorsAgree(call, "y", y, "x", x));
  return doubleOperatorsAdd(call, y, a, alpha, &x->high, &x->low, 1, NULL, y);
}

clStatus txDoubleAddSingle(const char *call, clDoubleVector *z, double a, const clVector *x,
                           double b, const clDoubleVector *y) {
  return doubleOperatorsAdd(call, z, a, NULL, x, NULL, b, NULL, y);
}

clStatus clDoubleVectorScale(clDoubleVector *y, double a, const clDouble *alpha,
                             const clDoubleVector *x) {
  static const char call[] = "clDoubleVectorScale";
  TRY(doubleOperatorsAgree(call, "y", y, "x", x));
  return doubleOperatorsAdd(call, y, a, alpha, &x->high, &x->low, 0, NULL, NULL);
}

/* s <- `result` of the sum r of all that `term` accumulates from the sources. */
static clStatus doubleOperatorsReduce(const char *call, clDouble *s,
                                      const clVector *const source[4], const char *term,
                                      const char *result) {
  clContext *context = source[0]->context;
  char defines[64];
  if (!s)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "s must not be NULL");
  TRY(txContextSame(context, s->high.context, call));
  TRY(txDoubleFloatCheck(context, call));
  txReduction r = {.term = term, .sums = 2, .double_float = true};
  for (int i = 0; i < 4; i++)
    r.source[i] = source[i];
  snprintf(defines, sizeof defines, "#define RESULT %s\n", result);
  txPass final = {
      .kernel = "double_final", .defines = defines, .target = {s->high.texture, s->low.texture}};
  return txReduce(call, &r, &final);
}

/* x.y in double-float: all four products of halves count. */
static clStatus doubleOperatorsProduct(const char *call, clDouble *s, const clDoubleVector *x,
                                       const clDoubleVector *y, const char *result) {
  TRY(doubleOperatorsAgree(call, "x", x, "y", y));
  return doubleOperatorsReduce(
      call, s, (const clVector *const[4]){&x->high, &x->low, &y->high, &y->low},
      "accumulate(sum, pairs(at(s0, p), at(s1, p)), pairs(at(s2, p), at(s3, p)))", result);
}

clStatus clDoubleVectorDot(clDouble *s, const clDoubleVector *x, const clDoubleVector *y) {
  return doubleOperatorsProduct("clDoubleVectorDot", s, x, y, "r");
}

clStatus clDoubleVectorNorm(clDouble *s, const clDoubleVector *x) {
  return doubleOperatorsProduct("clDoubleVectorNorm", s, x, x, "root(r)");
}

/* The product of two floats is exact in double-float, so that only the sums round. */
static clStatus productOfSingles(const char *call, clDouble *s, const clVector *x,
                                 const clVector *y, const char *result) {
  TRY(txVectorsAgree(call, "x", x, "y", y));
  return doubleOperatorsReduce(call, s, (const clVector *const[4]){x, y},
                               "accumulate(sum, twoProduct(at(s0, p), at(s1, p)))", result);
}

clStatus clVectorDotDouble(clDouble *s, const clVector *x, const clVector *y) {
  return productOfSingles("clVectorDotDouble", s, x, y, "r");
}

clStatus clVectorNormDouble(clDouble *s, const clVector *x) {
  return productOfSingles("clVectorNormDouble", s, x, x, "root(r)");
}
