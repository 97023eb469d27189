/* gemv and ger: y <- alpha op(A) x + beta y, and A <- A + alpha x y^T. */
#include "dense/gemv.h"
#include "core/numbers.h"
#include "core/try.h"
#include "gl/traits.h"
#include "vector/run.h"

#include <stdio.h>

clStatus txGemvCheckVector(const char *call, clContext *context, const char *name,
                           const clVector *x, int64_t length) {
  if (!x)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "%s must not be NULL", name);
  TRY(txContextSame(context, x->context, call));
  if (x->layout.length == length)
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_BAD_SHAPE, call, "%s has %lld elements (need %lld)",
                name, (long long)x->layout.length, (long long)length);
}

/* The variant for op(A), with or without b to be added. */
static const char *gemvDefinesOf(char text[64], clTranspose op, bool b) {
  snprintf(text, 64, "#define WIDTH %d\n%s%s", TX_LINEAR_WIDTH,
           txWhen(op == TEXLA_TRANSPOSE, "#define TRANSPOSED\n"), txWhen(b, "#define B\n"));
  return text;
}

/* How a sum over texels of x is divided. */
typedef struct parts {
  /* so many parts; texels that follow each other in one; from one to the next */
  int count, run, step;
} parts;

/* About sixteen texels each, so that there is work for many fragments and little to join. Along
 * rows a software renderer is fastest where its four neighbours read a row of A once, from its
 * beginning to its end (n = 2048: 8.5 GB/s, with 32 parts 2.6). */
static parts partsOf(const clContext *context, clTranspose op, int texels) {
  enum { IN_A_PART = 16, MOST = 64, NEIGHBOURS = 4 };
  int count = (texels + IN_A_PART - 1) / IN_A_PART;
  if (op == TEXLA_TRANSPOSE)
    return (parts){count, IN_A_PART, 1};
  int most = MOST;
  if (txContextTraits(context)->host_shades)
    most = NEIGHBOURS;
  count = txLeast(count, most);
  return (parts){count, 1, count};
}

/* *out <- the parts of op(A) x. */
static clStatus gemvSumParts(const char *call, txTexture **out, clTranspose op, const txOperand *A,
                             clDenseView V, const clVector *x, const parts *p) {
  txViewSize size = txViewSizeOf(op, V);
  int along = txHalf(size.cols), width = p->count, height = txHalf(txHalf(size.rows));
  if (op == TEXLA_TRANSPOSE) {
    width = height;
    height = p->count;
  }
  char defines[64];
  txPass pass = {.kernel = "gemv",
                 .defines = gemvDefinesOf(defines, op, false),
                 .source = {{"a", A->texture, TX_EDGE}, {"x", x->texture, TX_EDGE}},
                 .work = 5 * (along / (2 * p->count) + 1)};
  txPassIntegers(&pass, "corner", 2, A->x, A->y);
  txPassIntegers(&pass, "along", 1, along, 0);
  txPassIntegers(&pass, "run", 2, p->run, p->step);
  return txPassInto(out, x->context, call, &pass, TX_RGBA32F, width, height);
}

/* y <- alpha times the sum of the parts + beta b */
static clStatus gemvJoin(const char *call, clVector *y, float alpha, clTranspose op,
                         const txTexture *sums, int count, float beta, const clVector *b) {
  char defines[64];
  txPass pass = {.kernel = "gemv_join",
                 .defines = gemvDefinesOf(defines, op, b != NULL),
                 .source = {{"sums", sums, TX_EDGE}},
                 .uniform = {{"factors", 2, {alpha, beta}}},
                 .work = count + 1};
  if (b)
    txPassSource(&pass, "b", b->texture, TX_EDGE);
  txPassIntegers(&pass, "parts", 1, count, 0);
  return txVectorRun(call, &pass, y);
}

/* y <- alpha op(A) x + beta b in two passes: partial sums, and their sums. */
clStatus txGemv(const char *call, clVector *y, float alpha, clTranspose op, clDenseView A,
                const clVector *x, float beta, const clVector *b) {
  txOperand operand = {0};
  txTexture *sums = NULL;
  parts p = partsOf(y->context, op, txHalf(txHalf(txViewSizeOf(op, A).cols)));
  if (alpha == 0 && b)
    return clVectorScale(y, beta, NULL, b);
  if (alpha == 0)
    return clVectorClear(y);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandOpen(&operand, call, A));
  TRY_CLEANUP(gemvSumParts(call, &sums, op, &operand, A, x, &p));
  TRY_CLEANUP(gemvJoin(call, y, alpha, op, sums, p.count, beta, b));
cleanup:
  txTextureDestroy(sums);
  txOperandClose(&operand);
  return status;
}

/* x itself where it is linear, otherwise a linear copy, which is also *copy: the caller destroys
 * that. */
static clStatus linearOf(const clVector **out, clVector **copy, const clVector *x) {
  *out = x;
  *copy = NULL;
  if (!x->layout.grid)
    return TEXLA_OK;
  TRY(clVectorCreate(copy, x->context, x->layout.length));
  TRY(clVectorCopy(*copy, x));
  *out = *copy;
  return TEXLA_OK;
}

/* Vectors on a grid are copied first: the kernels want four numbers that follow each other. */
clStatus clDenseViewMulVector(clVector *y, float alpha, clTranspose op, clDenseView A,
                              const clVector *x, float beta) {
  static const char call[] = "clDenseViewMulVector";
  clContext *context = y ? y->context : clDenseContext(A.matrix);
  const clVector *in = NULL, *out = NULL;
  clVector *in_copy = NULL, *out_copy = NULL;
  TRY(txViewCheckPacked(call, context, "A", A));
  TRY(txDenseCheckOp(call, context, op));
  clStatus status = TEXLA_OK;
  txViewSize size = txViewSizeOf(op, A);
  TRY_CLEANUP(txGemvCheckVector(call, context, "y", y, size.rows));
  TRY_CLEANUP(txGemvCheckVector(call, context, "x", x, size.cols));
  TRY_CLEANUP(txDenseCheckFactor(call, context, "alpha", alpha));
  TRY_CLEANUP(txDenseCheckFactor(call, context, "beta", beta));
  TRY_CLEANUP(linearOf(&in, &in_copy, x));
  TRY_CLEANUP(linearOf(&out, &out_copy, y));
  /* With beta = 0 y may hold anything, also NaN. */
  if (beta == 0)
    out = NULL;
  TRY_CLEANUP(txGemv(call, out_copy ? out_copy : y, alpha, op, A, in, beta, out));
  if (out_copy)
    TRY_CLEANUP(clVectorCopy(y, out_copy));
cleanup:
  clVectorDestroy(in_copy);
  clVectorDestroy(out_copy);
  return status;
}

/* All of A. */
static clStatus addOuter(const char *call, clDense *A, float alpha, const clVector *x,
                         const clVector *y) {
  char defines[96];
  snprintf(defines, sizeof defines, "#define WIDTH %d\n%s", TX_LINEAR_WIDTH,
           txWhen(A->rows % 2 == 0 && A->cols % 2 == 0, "#define FULL\n"));
  txPass pass = {.kernel = "ger",
                 .defines = defines,
                 .source = {{"a", A->texture, TX_EDGE},
                            {"x", x->texture, TX_EDGE},
                            {"y", y->texture, TX_EDGE}},
                 .uniform = {{"alpha", 1, {alpha}}}};
  return txDenseRun(call, &pass, A);
}

/* A view that is not all of A is taken, added to, and put back. */
clStatus clDenseViewAddOuter(clDenseView A, float alpha, const clVector *x, const clVector *y) {
  static const char call[] = "clDenseViewAddOuter";
  clContext *context = clDenseContext(A.matrix);
  const clVector *column = NULL, *row = NULL;
  clVector *column_copy = NULL, *row_copy = NULL;
  clDense *taken = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txViewCheckPacked(call, context, "A", A));
  TRY_CLEANUP(txGemvCheckVector(call, context, "x", x, A.rows));
  TRY_CLEANUP(txGemvCheckVector(call, context, "y", y, A.cols));
  TRY_CLEANUP(txDenseCheckFactor(call, context, "alpha", alpha));
  if (alpha != 0)
    TRY_CLEANUP(linearOf(&column, &column_copy, x));
  if (alpha != 0)
    TRY_CLEANUP(linearOf(&row, &row_copy, y));
  if (alpha != 0 && !txViewIsWhole(A))
    TRY_CLEANUP(txViewTake(&taken, call, TEXLA_NO_TRANSPOSE, 1, A));
  if (alpha != 0)
    TRY_CLEANUP(addOuter(call, taken ? taken : A.matrix, alpha, column, row));
  if (taken)
    TRY_CLEANUP(txViewPut(call, A, taken));
cleanup:
  clDenseDestroy(taken);
  clVectorDestroy(column_copy);
  clVectorDestroy(row_copy);
  return status;
}
