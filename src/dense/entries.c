/* Operators on clDense that touch every entry once: fills, copies, conversions (B1), sums,
 * triangles, norms. */
#include "dense/entries.h"
#include "core/allocate.h"
#include "core/try.h"
#include "dense/view.h"
#include "vector/reduce.h"
#include "vector/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Both exist, in one context. */
static clStatus checkBoth(const char *call, const clDense *C, const char *name, const clDense *A) {
  clContext *context = txDenseFirstContext(C, A);
  TRY(txDenseCheck(call, context, "C", C));
  return txDenseCheck(call, context, name, A);
}

/* ... with the same shape; and with the same packing if they must. */
static clStatus checkAlike(const char *call, const clDense *C, const char *name, const clDense *A,
                           bool packing) {
  TRY(checkBoth(call, C, name, A));
  if (A->rows != C->rows || A->cols != C->cols || (packing && A->packing != C->packing))
    return txFail(txContextError(C->context), TEXLA_BAD_SHAPE, call,
                  "C is %d x %d (%s) but %s is %d x %d (%s)", C->rows, C->cols,
                  clPackingName(C->packing), name, A->rows, A->cols, clPackingName(A->packing));
  return TEXLA_OK;
}

/* C may be among the sources: txTexturesRun renders into a fresh texture then. */
clStatus txDenseRun(const char *call, txPass *pass, clDense *C) {
  txTexture **texture = &C->texture;
  txPassUniform(pass, (txUniform){"shape", 2, {(float)C->rows, (float)C->cols}, NULL, false});
  return txTexturesRun(C->context, call, pass, &texture, 1);
}

/* The defines of shaders/dense/dense.glsl for C's packing, and more. */
static const char *packingDefines(char text[160], const clDense *C, const char *more) {
  txPackingShape s = txPackingOf(C->packing);
  snprintf(text, 160, "#define ROWS %d\n#define COLS %d\n%s", s.rows, s.cols, more);
  return text;
}

/* The lanes beyond the matrix stay zero, by the shape that the kernel knows. */
static clStatus entriesFill(const char *call, clDense *A, float value, const char *more) {
  char text[160];
  TRY(txDenseCheck(call, clDenseContext(A), "A", A));
  if (!isfinite(value))
    return txFail(txContextError(A->context), TEXLA_NOT_FINITE, call, "the value is %g",
                  (double)value);
  txPass pass = {.kernel = "dense_fill",
                 .defines = packingDefines(text, A, more),
                 .uniform = {{"value", 1, {value}}}};
  return txDenseRun(call, &pass, A);
}

clStatus clDenseFill(clDense *A, float value) {
  return entriesFill("clDenseFill", A, value, "");
}

clStatus clDenseIdentity(clDense *A, float value) {
  return entriesFill("clDenseIdentity", A, value, "#define DIAGONAL\n");
}

/* A block between any packings; `whole`: it is all of C. */
typedef struct blockCopy {
  int row, col, a_row, a_col, rows, cols;
  clTranspose op;
} blockCopy;

/* Entry by entry, since lanes of the one need not be lanes of the other. */
static clStatus copyBlock(const char *call, clDense *C, const clDense *A, const blockCopy *b) {
  char more[96], text[160];
  bool whole = b->rows == C->rows && b->cols == C->cols;
  txPackingShape s = txPackingOf(A->packing);
  snprintf(more, sizeof more, "#define A_ROWS %d\n#define A_COLS %d\n%s%s", s.rows, s.cols,
           txWhen(!whole, "#define KEEP\n"),
           txWhen(b->op == TEXLA_TRANSPOSE, "#define TRANSPOSED\n"));
  txPass pass = {.kernel = "dense_block",
                 .defines = packingDefines(text, C, more),
                 .source = {{"a", A->texture, TX_EDGE}, {"c", C->texture, TX_EDGE}},
                 .uniform = {{"block",
                              4,
                              {(float)b->row, (float)b->col, (float)b->rows, (float)b->cols},
                              .integer = true},
                             {"from", 2, {(float)b->a_row, (float)b->a_col}, .integer = true}}};
  return txDenseRun(call, &pass, C);
}

clStatus clDenseCopy(clDense *C, const clDense *A) {
  static const char call[] = "clDenseCopy";
  TRY(checkAlike(call, C, "A", A, false));
  if (C == A)
    return TEXLA_OK;
  if (C->packing != A->packing)
    return copyBlock(call, C, A, &(blockCopy){.rows = C->rows, .cols = C->cols});
  txPass pass = {.kernel = "copy", .source = {{"x", A->texture, TX_EDGE}}};
  return txDenseRun(call, &pass, C);
}

clStatus clDenseClone(clDense **out, const clDense *A) {
  static const char call[] = "clDenseClone";
  clDense *copy = NULL;
  if (!out || !A)
    return txFail(txContextError(clDenseContext(A)), TEXLA_BAD_ARGUMENT, call,
                  "out and A must not be NULL");
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDenseCreate(&copy, A->context, call, A->rows, A->cols, A->packing, false));
  TRY_CLEANUP(clDenseCopy(copy, A));
  *out = copy;
  copy = NULL;
cleanup:
  clDenseDestroy(copy);
  return status;
}

/* Blocks of 2 x 2 are turned one by one; other packings go entry by entry. */
clStatus clDenseTranspose(clDense *C, const clDense *A) {
  static const char call[] = "clDenseTranspose";
  TRY(checkBoth(call, C, "A", A));
  if (A->rows != C->cols || A->cols != C->rows)
    return txFail(txContextError(C->context), TEXLA_BAD_SHAPE, call,
                  "C is %d x %d but A is %d x %d (need %d x %d)", C->rows, C->cols, A->rows,
                  A->cols, C->cols, C->rows);
  if (C->packing != TEXLA_PACKING_2X2 || A->packing != TEXLA_PACKING_2X2)
    return copyBlock(call, C, A,
                     &(blockCopy){.rows = C->rows, .cols = C->cols, .op = TEXLA_TRANSPOSE});
  txPass pass = {.kernel = "product_pack",
                 .defines = "#define TURNED\n#define SWAPPED\n",
                 .source = {{"a", A->texture, TX_EDGE}},
                 .uniform = {{"from",
                              4,
                              {0, 0, (float)C->texture->width, (float)C->texture->height},
                              .integer = true}}};
  return txDenseRun(call, &pass, C);
}

/* Also between parts of one matrix: the pass renders all of C into a fresh texture. */
clStatus clDenseViewCopy(clDenseView C, clTranspose op, clDenseView A) {
  static const char call[] = "clDenseViewCopy";
  clContext *context = txDenseFirstContext(C.matrix, A.matrix);
  TRY(txViewCheck(call, context, "C", C));
  TRY(txViewCheck(call, context, "A", A));
  TRY(txDenseCheckOp(call, context, op));
  txViewSize shape = txViewSizeOf(op, A);
  if (C.rows != shape.rows || C.cols != shape.cols)
    return txFail(txContextError(context), TEXLA_BAD_SHAPE, call,
                  "the block of C is %d x %d but that of op(A) %d x %d", C.rows, C.cols, shape.rows,
                  shape.cols);
  return copyBlock(call, C.matrix, A.matrix,
                   &(blockCopy){C.row, C.col, A.row, A.col, C.rows, C.cols, op});
}

/* c_ij <- f(a_ij, b_ij), in the same packing lane by lane. */
static clStatus entriesCombine(const char *call, const char *kernel, clDense *C, const clDense *A,
                               const clDense *B, const float factor[2]) {
  TRY(checkAlike(call, C, "A", A, true));
  TRY(checkAlike(call, C, "B", B, true));
  TRY(txDenseCheckFactor(call, C->context, "a", factor[0]));
  TRY(txDenseCheckFactor(call, C->context, "b", factor[1]));
  txPass pass = {.kernel = kernel,
                 .source = {{"x", A->texture, TX_EDGE}, {"y", B->texture, TX_EDGE}},
                 .uniform = {{"factor", 2, {factor[0], factor[1]}}}};
  return txDenseRun(call, &pass, C);
}

clStatus clDenseAdd(clDense *C, float a, const clDense *A, float b, const clDense *B) {
  return entriesCombine("clDenseAdd", "add", C, A, B, (const float[]){a, b});
}

clStatus clDenseMul(clDense *C, const clDense *A, const clDense *B) {
  return entriesCombine("clDenseMul", "mul", C, A, B, (const float[]){0, 0});
}

/* C may have fewer columns than A (rows, for the upper triangle), as L and U have of a matrix that
 * is not square. */
clStatus clDenseTriangle(clDense *C, clTriangle triangle, bool unit, const clDense *A) {
  static const char call[] = "clDenseTriangle";
  char more[64], text[160];
  TRY(checkBoth(call, C, "A", A));
  bool lower = triangle == TEXLA_TRIANGLE_LOWER;
  if (!lower && triangle != TEXLA_TRIANGLE_UPPER)
    return txFail(txContextError(C->context), TEXLA_BAD_ARGUMENT, call,
                  "triangle is %d: not in the list", (int)triangle);
  bool fits = C->rows <= A->rows && C->cols == A->cols;
  if (lower)
    fits = C->rows == A->rows && C->cols <= A->cols;
  if (!fits || C->packing != A->packing)
    return txFail(txContextError(C->context), TEXLA_BAD_SHAPE, call,
                  "the %s triangle of A, %d x %d (%s), does not fit C, %d x %d (%s)",
                  lower ? "lower" : "upper", A->rows, A->cols, clPackingName(A->packing), C->rows,
                  C->cols, clPackingName(C->packing));
  snprintf(more, sizeof more, "%s%s", txWhen(lower, "#define LOWER\n"),
           txWhen(unit, "#define UNIT\n"));
  txPass pass = {.kernel = "dense_triangle",
                 .defines = packingDefines(text, C, more),
                 .source = {{"a", A->texture, TX_EDGE}}};
  return txDenseRun(call, &pass, C);
}

/* s <- the reduction of all texels of a texture. */
static clStatus reduceTexture(const char *call, clFloat *s, txTexture *texture, const char *term,
                              const char *combine_with, const char *result) {
  int64_t row = 4 * (int64_t)texture->width;
  clVector view = {.context = texture->context,
                   .layout = {row * texture->height, row, texture->width, texture->height, true},
                   .texture = texture};
  txReduction r = {.source = {&view}, .term = term, .combine = combine_with};
  txPass final = {.kernel = "reduce_final", .defines = result, .target = {s->texture}};
  return txReduce(call, &r, &final);
}

/* max |a_ij|; NaN is larger than all numbers, so that it arrives. */
static clStatus entriesLargestOf(const char *call, clFloat *s, txTexture *texture) {
  return reduceTexture(call, s, texture, "abs(at(x, p))", "larger(a, b)",
                       "#define RESULT largestOf(v)\n");
}

/* Strips of 32 texels first, so that there is work for many fragments. */
clStatus txDenseLargestUpper(const char *call, clFloat *s, const clDense *A) {
  txPass pass = {.kernel = "dense_largest", .source = {{"a", A->texture, TX_EDGE}}, .work = 32};
  txTexture *strips = NULL;
  TRY(txPassInto(&strips, A->context, call, &pass, TX_RGBA32F, A->texture->width,
                 (A->texture->height + 31) / 32));
  clStatus status = entriesLargestOf(call, s, strips);
  txTextureDestroy(strips);
  return status;
}

/* One pass of shaders/dense/dense_sums.frag. */
static clStatus entriesSumParts(const char *call, txTexture **out, const txTexture *A, bool columns,
                                int part) {
  int width = (A->width + part - 1) / part, height = A->height;
  if (columns) {
    width = A->width;
    height = (A->height + part - 1) / part;
  }
  txPass pass = {.kernel = "dense_sums",
                 .defines = txWhen(columns, "#define COLUMNS\n"),
                 .source = {{"a", A, TX_EDGE}},
                 .uniform = {{"part", 1, {(float)part}, .integer = true}},
                 .work = part};
  return txPassInto(out, A->context, call, &pass, TX_RGBA32F, width, height);
}

/* Parts of about the root of the length: the rounding errors of a sum of n grow with 2 sqrt(n), and
 * both passes have work for many. */
clStatus txDenseSums(const char *call, txTexture **out, const txTexture *A, bool columns) {
  int along = A->width, part = 1;
  if (columns)
    along = A->height;
  txTexture *parts = NULL;
  while (part * part < along)
    part *= 2;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(entriesSumParts(call, &parts, A, columns, part));
  TRY_CLEANUP(entriesSumParts(call, out, parts, columns, (along + part - 1) / part));
cleanup:
  txTextureDestroy(parts);
  return status;
}

/* Row or column sums of magnitudes, then the largest. */
static clStatus largestSum(const char *call, clFloat *s, bool columns, const clDense *A) {
  txTexture *sums = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDenseSums(call, &sums, A->texture, columns));
  TRY_CLEANUP(entriesLargestOf(call, s, sums));
cleanup:
  txTextureDestroy(sums);
  return status;
}

/* The 1-norm is the largest sum of a column, the infinity norm that of a row. */
clStatus clDenseNorm(clFloat *s, clNorm norm, const clDense *A) {
  static const char call[] = "clDenseNorm";
  TRY(txDenseCheckPacked(call, clDenseContext(A), "A", A));
  if (!s || norm < TEXLA_NORM_MAX || norm > TEXLA_NORM_FROBENIUS)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call,
                  "s must not be NULL and the norm one of the list");
  TRY(txContextSame(A->context, s->context, call));
  if (norm == TEXLA_NORM_MAX)
    return entriesLargestOf(call, s, A->texture);
  if (norm == TEXLA_NORM_FROBENIUS)
    return reduceTexture(call, s, A->texture, "at(x, p) * at(x, p)", NULL,
                         "#define RESULT sqrt((v.x + v.y) + (v.z + v.w))\n");
  return largestSum(call, s, norm == TEXLA_NORM_ONE, A);
}

/* The order is a texture of pairs, as a texel has two rows and two columns. */
clStatus txDenseOrderBlocks(const char *call, clDense *C, const clDense *A, bool columns,
                            const float *order, int blocks, int width) {
  int texels = C->texture->height;
  if (columns)
    texels = C->texture->width;
  txPass pass = {.kernel = "dense_order",
                 .defines = txWhen(columns, "#define COLUMNS\n"),
                 .source = {{"a", A->texture, TX_EDGE}},
                 .uniform = {{"block", 2, {(float)width, (float)(blocks - 1)}, .integer = true}}};
  txTexture *texture = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(&texture, C->context, call, TX_RG32F, texels, blocks));
  TRY_CLEANUP(txTextureWrite(texture, call, (txRect){0, 0, texels, blocks}, order));
  pass.source[1] = (txSource){"order", texture, TX_EDGE};
  TRY_CLEANUP(txDenseRun(call, &pass, C));
cleanup:
  txTextureDestroy(texture);
  return status;
}

/* One order for all, which is a single block. */
clStatus txDenseOrder(const char *call, clDense *C, const clDense *A, bool columns,
                      const int32_t *order) {
  int texels = C->texture->height, n = C->rows;
  if (columns) {
    texels = C->texture->width;
    n = C->cols;
  }
  float *values = txAllocate(txContextError(C->context), call, (size_t)texels * 2, sizeof *values,
                             "an order of rows");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  for (int i = 0; i < n; i++)
    values[i] = (float)order[i];
  for (int i = n; i < 2 * texels; i++)
    values[i] = -1;
  clStatus status = txDenseOrderBlocks(call, C, A, columns, values, 1, 1);
  free(values);
  return status;
}

/* max |a_ij|, on the host. */
static clStatus entriesFindLargest(const clDense *A, float *largest) {
  clFloat *s = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clFloatCreate(&s, A->context));
  TRY_CLEANUP(clDenseNorm(s, TEXLA_NORM_MAX, A));
  TRY_CLEANUP(clFloatDownload(s, largest));
cleanup:
  clFloatDestroy(s);
  return status;
}

/* NaN makes pivots fail, too: only here is it worth looking for. */
clStatus txDenseBlame(clStatus status, const char *call, const clDense *A) {
  float largest = 0;
  clError *error = txContextError(A->context), before = *error;
  if (status != TEXLA_SINGULAR)
    return status;
  clStatus asked = entriesFindLargest(A, &largest);
  /* That it is singular is known, whatever asking comes to. */
  *error = before;
  if (asked != TEXLA_OK || isfinite(largest))
    return status;
  return txFail(error, TEXLA_NOT_FINITE, call, "the %d x %d matrix holds NaN or Inf", A->rows,
                A->cols);
}

/* Whole texels, whatever is in their lanes. */
clStatus txTexelsCopy(const char *call, txTexture *target, txRect rect, const txTexture *source,
                      int x, int y) {
  txPass pass = {
      .kernel = "texels_copy",
      .target = {target},
      .source = {{"a", source, TX_EDGE}},
      .uniform = {{"shift", 2, {(float)(x - rect.x), (float)(y - rect.y)}, .integer = true}},
      .rect = rect};
  return txPassRun(target->context, call, &pass);
}
