/* What is computed with double-float vectors; shaders/include/df64.glsl has the arithmetic. */
#include "vector/double.h"
#include "gl/traits.h"
#include "vector/reduce.h"

#include <stdio.h>

/* The halves that the checks are about: NULL for NULL. */
static const clVector *high(const clDoubleVector *x) {
  return x ? &x->high : NULL;
}

static clStatus agree(const char *call, const char *a_name, const clDoubleVector *a,
                      const char *b_name, const clDoubleVector *b) {
  return txVectorsAgree(call, a_name, high(a), b_name, high(b));
}

clStatus txDoubleRun(const char *call, txPass *pass, const char *defines, clDoubleVector *y) {
  char text[512];
  clContext *context = y->high.context;
  clStatus status = txDoubleFloatCheck(context, call);
  if (status)
    return status;
  snprintf(text, sizeof text, "%s%s", txDoubleFloatDefine(context), defines);
  pass->defines = text;
  return txVectorsRun(call, pass, (clVector *const[]){&y->high, &y->low}, 2);
}

clStatus clDoubleVectorFill(clDoubleVector *x, double value) {
  static const char call[] = "clDoubleVectorFill";
  float hi, lo;
  clStatus status = agree(call, "x", x, NULL, NULL);
  if (status)
    return status;
  txDoubleSplit(value, &hi, &lo);
  status = clVectorFill(&x->high, hi);
  return status ? status : clVectorFill(&x->low, lo);
}

clStatus clDoubleVectorCopy(clDoubleVector *y, const clDoubleVector *x) {
  if (!x || !y)
    return agree("clDoubleVectorCopy", "y", y, "x", x);
  clStatus status = clVectorCopy(&y->high, &x->high);
  return status ? status : clVectorCopy(&y->low, &x->low);
}

clStatus clDoubleVectorFromSingle(clDoubleVector *x, const clVector *y) {
  if (!x || !y)
    return txVectorsAgree("clDoubleVectorFromSingle", "x", high(x), "y", y);
  clStatus status = clVectorCopy(&x->high, y);
  return status ? status : clVectorClear(&x->low);
}

clStatus clDoubleVectorToSingle(clVector *y, const clDoubleVector *x) {
  if (!x || !y)
    return txVectorsAgree("clDoubleVectorToSingle", "y", y, "x", high(x));
  return clVectorCopy(y, &x->high);
}

/* A factor a alpha of a pass: uniforms 2 i and 2 i + 1, scalars likewise. */
static void setFactor(txPass *pass, int i, double a, const clDouble *alpha, clContext *context,
                      const char *call, clStatus *status) {
  txDoubleSplit(a, &pass->uniform[0].value[2 * i], &pass->uniform[0].value[2 * i + 1]);
  pass->scalar[2 * i] = txScalarTexture(alpha ? &alpha->high : NULL, context, call, status);
  pass->scalar[2 * i + 1] = txScalarTexture(alpha ? &alpha->low : NULL, context, call, status);
}

/* z <- a alpha (x + x_low) + b beta y; without x_low, y (NULL) in fewer steps. Operands were
 * checked. */
static clStatus add(const char *call, clDoubleVector *z, double a, const clDouble *alpha,
                    const clVector *x, const clVector *x_low, double b, const clDouble *beta,
                    const clDoubleVector *y) {
  char defines[128];
  clStatus status = TEXLA_OK;
  txPass pass = {.kernel = "double_add", .uniform = {{"factor", 4, {0}}}};
  setFactor(&pass, 0, a, alpha, z->high.context, call, &status);
  setFactor(&pass, 1, b, beta, z->high.context, call, &status);
  txPassSource(&pass, "x", x->texture, TX_EDGE);
  if (x_low)
    txPassSource(&pass, "x_low", x_low->texture, TX_EDGE);
  if (y) {
    txPassSource(&pass, "y", y->high.texture, TX_EDGE);
    txPassSource(&pass, "y_low", y->low.texture, TX_EDGE);
  }
  snprintf(defines, sizeof defines, "%s%s%s%s", alpha ? "#define ALPHA\n" : "",
           beta ? "#define BETA\n" : "", x_low ? "" : "#define SINGLE\n",
           y ? "" : "#define ALONE\n");
  return status ? status : txDoubleRun(call, &pass, defines, z);
}

clStatus clDoubleVectorAdd(clDoubleVector *z, double a, const clDouble *alpha,
                           const clDoubleVector *x, double b, const clDouble *beta,
                           const clDoubleVector *y) {
  static const char call[] = "clDoubleVectorAdd";
  clStatus status = agree(call, "z", z, "x", x);
  if (!status)
    status = agree(call, "z", z, "y", y);
  return status ? status : add(call, z, a, alpha, &x->high, &x->low, b, beta, y);
}

clStatus clDoubleVectorAxpy(clDoubleVector *y, double a, const clDouble *alpha,
                            const clDoubleVector *x) {
  static const char call[] = "clDoubleVectorAxpy";
  clStatus status = agree(call, "y", y, "x", x);
  return status ? status : add(call, y, a, alpha, &x->high, &x->low, 1, NULL, y);
}

clStatus clDoubleVectorAxpySingle(clDoubleVector *y, double a, const clDouble *alpha,
                                  const clVector *x) {
  static const char call[] = "clDoubleVectorAxpySingle";
  clStatus status = txVectorsAgree(call, "y", high(y), "x", x);
  return status ? status : add(call, y, a, alpha, x, NULL, 1, NULL, y);
}

clStatus txDoubleAddSingle(const char *call, clDoubleVector *z, double a, const clVector *x,
                           double b, const clDoubleVector *y) {
  return add(call, z, a, NULL, x, NULL, b, NULL, y);
}

clStatus clDoubleVectorScale(clDoubleVector *y, double a, const clDouble *alpha,
                             const clDoubleVector *x) {
  static const char call[] = "clDoubleVectorScale";
  clStatus status = agree(call, "y", y, "x", x);
  return status ? status : add(call, y, a, alpha, &x->high, &x->low, 0, NULL, NULL);
}

/* s <- `result` of the sum r of all that `term` accumulates from the sources. */
static clStatus reduce(const char *call, clDouble *s, const clVector *const source[4],
                       const char *term, const char *result) {
  clContext *context = source[0]->context;
  char defines[64];
  if (!s)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "s must not be NULL");
  clStatus status = txContextSame(context, s->high.context, call);
  if (!status)
    status = txDoubleFloatCheck(context, call);
  if (status)
    return status;
  txReduction r = {.term = term, .sums = 2, .double_float = true};
  for (int i = 0; i < 4; i++)
    r.source[i] = source[i];
  snprintf(defines, sizeof defines, "#define RESULT %s\n", result);
  txPass final = {
      .kernel = "double_final", .defines = defines, .target = {s->high.texture, s->low.texture}};
  return txReduce(call, &r, &final);
}

static clStatus product(const char *call, clDouble *s, const clDoubleVector *x,
                        const clDoubleVector *y, const char *result) {
  clStatus status = agree(call, "x", x, "y", y);
  return status
             ? status
             : reduce(call, s, (const clVector *const[4]){&x->high, &x->low, &y->high, &y->low},
                      "accumulate(sum, pairs(at(s0, p), at(s1, p)), pairs(at(s2, p), at(s3, p)))",
                      result);
}

clStatus clDoubleVectorDot(clDouble *s, const clDoubleVector *x, const clDoubleVector *y) {
  return product("clDoubleVectorDot", s, x, y, "r");
}

clStatus clDoubleVectorNorm(clDouble *s, const clDoubleVector *x) {
  return product("clDoubleVectorNorm", s, x, x, "root(r)");
}

static clStatus productOfSingles(const char *call, clDouble *s, const clVector *x,
                                 const clVector *y, const char *result) {
  clStatus status = txVectorsAgree(call, "x", x, "y", y);
  return status ? status
                : reduce(call, s, (const clVector *const[4]){x, y},
                         "accumulate(sum, twoProduct(at(s0, p), at(s1, p)))", result);
}

clStatus clVectorDotDouble(clDouble *s, const clVector *x, const clVector *y) {
  return productOfSingles("clVectorDotDouble", s, x, y, "r");
}

clStatus clVectorNormDouble(clDouble *s, const clVector *x) {
  return productOfSingles("clVectorNormDouble", s, x, x, "root(r)");
}
