/* Element-wise operators (K2): one pass each. */
#include "vector/run.h"
#include "core/try.h"

/* Both operands of z <- x op y fit z. */
static clStatus binaryAgree(const char *call, const clVector *z, const clVector *x,
                            const clVector *y) {
  TRY(txVectorsAgree(call, "z", z, "x", x));
  return txVectorsAgree(call, "z", z, "y", y);
}

/* Padding must stay zero, so that the kernel masks it where there is some. */
clStatus clVectorFill(clVector *x, float value) {
  static const char call[] = "clVectorFill";
  TRY(txVectorsAgree(call, "x", x, NULL, NULL));
  txPass pass = {
      .kernel = "fill", .defines = txFullDefine(&x->layout), .uniform = {{"value", 1, {value}}}};
  return txVectorRun(call, &pass, x);
}

/* y <- x, element by element, where the rows of both have other lengths. Each fragment works out
 * where its four elements lie in x. */
static clStatus relayout(const char *call, clVector *y, const clVector *x) {
  txPass pass = {.kernel = "relayout",
                 .source = {{"x", x->texture, TX_EDGE}},
                 .uniform = {{"x_row", 1, {(float)x->layout.row}, .integer = true},
                             {"y_row", 1, {(float)y->layout.row}, .integer = true}}};
  return txVectorRun(call, &pass, y);
}

/* Vectors of one length but of two layouts are converted; all else must agree. */
clStatus clVectorCopy(clVector *y, const clVector *x) {
  static const char call[] = "clVectorCopy";
  if (x && y && x->context == y->context && x->layout.length == y->layout.length &&
      !txLayoutEqual(&x->layout, &y->layout))
    return relayout(call, y, x);
  TRY(txVectorsAgree(call, "y", y, "x", x));
  if (x == y)
    return TEXLA_OK;
  txPass pass = {.kernel = "copy", .source = {{"x", x->texture, TX_EDGE}}};
  return txVectorRun(call, &pass, y);
}

/* a alpha x is one pass: alpha is sampled once for each vertex and multiplied there. */
clStatus clVectorScale(clVector *y, float a, const clFloat *alpha, const clVector *x) {
  static const char call[] = "clVectorScale";
  TRY(txVectorsAgree(call, "y", y, "x", x));
  txPass pass = {
      .kernel = "scale", .source = {{"x", x->texture, TX_EDGE}}, .uniform = {{"factor", 1, {a}}}};
  TRY(txPassScalar(call, &pass, 0, alpha, y->context));
  return txVectorRun(call, &pass, y);
}

/* z <- a alpha x + b beta y, of operands that were checked. */
static clStatus elementwiseAdd(const char *call, clVector *z, float a, const clFloat *alpha,
                               const clVector *x, float b, const clFloat *beta, const clVector *y) {
  txPass pass = {.kernel = "add",
                 .source = {{"x", x->texture, TX_EDGE}, {"y", y->texture, TX_EDGE}},
                 .uniform = {{"factor", 2, {a, b}}}};
  TRY(txPassScalar(call, &pass, 0, alpha, z->context));
  TRY(txPassScalar(call, &pass, 1, beta, z->context));
  return txVectorRun(call, &pass, z);
}

/* Both factors have a part on the host and one on the device. */
clStatus clVectorAdd(clVector *z, float a, const clFloat *alpha, const clVector *x, float b,
                     const clFloat *beta, const clVector *y) {
  static const char call[] = "clVectorAdd";
  TRY(binaryAgree(call, z, x, y));
  return elementwiseAdd(call, z, a, alpha, x, b, beta, y);
}

/* y + a alpha x is the sum with factors a alpha and 1. */
clStatus clVectorAxpy(clVector *y, float a, const clFloat *alpha, const clVector *x) {
  static const char call[] = "clVectorAxpy";
  TRY(txVectorsAgree(call, "y", y, "x", x));
  return elementwiseAdd(call, y, a, alpha, x, 1, NULL, y);
}

/* z <- the result of a kernel that reads x and y at the same place. */
static clStatus elementwiseCombine(const char *call, const char *kernel, const char *defines,
                                   clVector *z, const clVector *x, const clVector *y) {
  TRY(binaryAgree(call, z, x, y));
  txPass pass = {.kernel = kernel,
                 .defines = defines,
                 .source = {{"x", x->texture, TX_EDGE}, {"y", y->texture, TX_EDGE}}};
  return txVectorRun(call, &pass, z);
}

clStatus clVectorMul(clVector *z, const clVector *x, const clVector *y) {
  return elementwiseCombine("clVectorMul", "mul", NULL, z, x, y);
}

/* 0 / 0 in the padding would be NaN: the kernel masks it where there is some. */
clStatus clVectorDiv(clVector *z, const clVector *x, const clVector *y) {
  return elementwiseCombine("clVectorDiv", "div", z ? txFullDefine(&z->layout) : NULL, z, x, y);
}

/* x / 0 is 0 here, so that the padding stays zero by itself. */
clStatus clVectorDivZ(clVector *z, const clVector *x, const clVector *y) {
  return elementwiseCombine("clVectorDivZ", "div", "#define ZERO\n", z, x, y);
}
