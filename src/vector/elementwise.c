/* Element-wise operators (K2): one pass each. */
#include "vector/run.h"

/* Both operands of z <- x op y fit z. */
static clStatus binaryAgree(const char *call, const clVector *z, const clVector *x,
                            const clVector *y) {
  clStatus status = txVectorsAgree(call, "z", z, "x", x);
  return status ? status : txVectorsAgree(call, "z", z, "y", y);
}

clStatus clVectorFill(clVector *x, float value) {
  static const char call[] = "clVectorFill";
  clStatus status = txVectorsAgree(call, "x", x, NULL, NULL);
  if (status)
    return status;
  txPass pass = {
      .kernel = "fill", .defines = txFullDefine(&x->layout), .uniform = {{"value", 1, {value}}}};
  return txVectorRun(call, &pass, x);
}

static clStatus relayout(const char *call, clVector *y, const clVector *x) {
  txPass pass = {.kernel = "relayout",
                 .source = {{"x", x->texture, TX_EDGE}},
                 .uniform = {{"x_row", 1, {(float)x->layout.row}, .integer = true},
                             {"y_row", 1, {(float)y->layout.row}, .integer = true}}};
  return txVectorRun(call, &pass, y);
}

clStatus clVectorCopy(clVector *y, const clVector *x) {
  static const char call[] = "clVectorCopy";
  if (x && y && x->context == y->context && x->layout.length == y->layout.length &&
      !txLayoutEqual(&x->layout, &y->layout))
    return relayout(call, y, x);
  clStatus status = txVectorsAgree(call, "y", y, "x", x);
  if (status || x == y)
    return status;
  txPass pass = {.kernel = "copy", .source = {{"x", x->texture, TX_EDGE}}};
  return txVectorRun(call, &pass, y);
}

clStatus clVectorScale(clVector *y, float a, const clFloat *alpha, const clVector *x) {
  static const char call[] = "clVectorScale";
  clStatus status = txVectorsAgree(call, "y", y, "x", x);
  if (status)
    return status;
  txPass pass = {.kernel = "scale",
                 .source = {{"x", x->texture, TX_EDGE}},
                 .scalar = {txScalarTexture(alpha, y->context, call, &status)},
                 .uniform = {{"factor", 1, {a}}}};
  return status ? status : txVectorRun(call, &pass, y);
}

/* Operands that were checked. */
static clStatus add(const char *call, clVector *z, float a, const clFloat *alpha, const clVector *x,
                    float b, const clFloat *beta, const clVector *y) {
  clStatus status = TEXLA_OK;
  txPass pass = {.kernel = "add",
                 .source = {{"x", x->texture, TX_EDGE}, {"y", y->texture, TX_EDGE}},
                 .scalar = {txScalarTexture(alpha, z->context, call, &status),
                            txScalarTexture(beta, z->context, call, &status)},
                 .uniform = {{"factor", 2, {a, b}}}};
  return status ? status : txVectorRun(call, &pass, z);
}

clStatus clVectorAdd(clVector *z, float a, const clFloat *alpha, const clVector *x, float b,
                     const clFloat *beta, const clVector *y) {
  static const char call[] = "clVectorAdd";
  clStatus status = binaryAgree(call, z, x, y);
  return status ? status : add(call, z, a, alpha, x, b, beta, y);
}

clStatus clVectorAxpy(clVector *y, float a, const clFloat *alpha, const clVector *x) {
  static const char call[] = "clVectorAxpy";
  clStatus status = txVectorsAgree(call, "y", y, "x", x);
  return status ? status : add(call, y, a, alpha, x, 1, NULL, y);
}

static clStatus combine(const char *call, const char *kernel, const char *defines, clVector *z,
                        const clVector *x, const clVector *y) {
  clStatus status = binaryAgree(call, z, x, y);
  if (status)
    return status;
  txPass pass = {.kernel = kernel,
                 .defines = defines,
                 .source = {{"x", x->texture, TX_EDGE}, {"y", y->texture, TX_EDGE}}};
  return txVectorRun(call, &pass, z);
}

clStatus clVectorMul(clVector *z, const clVector *x, const clVector *y) {
  return combine("clVectorMul", "mul", NULL, z, x, y);
}

clStatus clVectorDiv(clVector *z, const clVector *x, const clVector *y) {
  return combine("clVectorDiv", "div", z ? txFullDefine(&z->layout) : NULL, z, x, y);
}

clStatus clVectorDivZ(clVector *z, const clVector *x, const clVector *y) {
  return combine("clVectorDivZ", "div", "#define ZERO\n", z, x, y);
}
