/* clPacked: a lower triangle in rectangular packed format (J2). */
#include "triangle/lower.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "vector/run.h"

#include <math.h>
#include <stdlib.h>

static bool canPack(clPacking packing) {
  return packing == TEXLA_PACKING_2X2 || packing == TEXLA_PACKING_1X1;
}

clStatus clPackedCreate(clPacked **out, clContext *context, int n, clPacking packing) {
  static const char call[] = "clPackedCreate";
  if (!out || !context || n < 1 || !canPack(packing))
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL, n (%d) at least 1 and the packing 2x2 or 1x1",
                  n);
  clPacked *P = txAllocate(txContextError(context), call, 1, sizeof *P, "a clPacked");
  if (!P)
    return TEXLA_OUT_OF_MEMORY;
  *P = (clPacked){.context = context, .order = n, .packing = packing};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txLowerTexture(&P->texture, context, call, n, packing, true));
  TRY_CLEANUP(txTextureClear(P->texture, call));
  *out = P;
  P = NULL;
cleanup:
  clPackedDestroy(P);
  return status;
}

void clPackedDestroy(clPacked *P) {
  if (!P)
    return;
  txTextureDestroy(P->texture);
  free(P);
}

int clPackedOrder(const clPacked *P) {
  return P ? P->order : 0;
}

clContext *clPackedContext(const clPacked *P) {
  return P ? P->context : NULL;
}

/* Zeros where there is no triangle. */
void clPackedTexels(const clPacked *P, int *width, int *height) {
  txTexture none = {0};
  const txTexture *t = &none;
  if (P)
    t = P->texture;
  if (width)
    *width = t->width;
  if (height)
    *height = t->height;
}

/* Where entry (i, j), j <= i, stands among the texture's numbers. */
static size_t indexOf(const clPacked *P, int i, int j) {
  txLower lower = txLowerOfPacked(P);
  int side = 2, lane = i % 2 * 2 + j % 2;
  if (lower.single) {
    side = 1;
    lane = 0;
  }
  txLowerPart part = txLowerPartOf(&lower, 0);
  if (j / side >= part.cols)
    part = txLowerPartOf(&lower, 1);
  int x = part.x + part.turn * (j / side), y = part.y + part.turn * (i / side);
  size_t lanes = (size_t)side * (size_t)side;
  if (part.turn < 0)
    lane = side * side - 1 - lane;
  return ((size_t)y * (size_t)P->texture->width + (size_t)x) * lanes + (size_t)lane;
}

/* Room for all of the texture's numbers; NULL: there is none. */
static float *createStage(const clPacked *P, const char *call) {
  return txAllocate(txContextError(P->context), call,
                    (size_t)P->texture->width * (size_t)P->texture->height,
                    txFormatBytes(P->texture->format), "the transfer of a triangle");
}

/* The whole texture, with what lies outside of the triangle, too. */
static txRect allOf(const clPacked *P) {
  return (txRect){0, 0, P->texture->width, P->texture->height};
}

/* Fails unless there is room for all rows. */
static clStatus checkHost(const char *call, const clPacked *P, const float *values, int64_t lead) {
  if (P && values && lead >= P->order)
    return TEXLA_OK;
  return txFail(
      txContextError(clPackedContext(P)), TEXLA_BAD_ARGUMENT, call,
      "P and values must not be NULL and the leading dimension %lld not less than the order %d",
      (long long)lead, clPackedOrder(P));
}

/* Everything is checked before the texture is written. */
clStatus clPackedUpload(clPacked *P, const float *values, int64_t lead) {
  static const char call[] = "clPackedUpload";
  TRY(checkHost(call, P, values, lead));
  float *stage = createStage(P, call);
  if (!stage)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  for (int i = 0; i < P->order; i++)
    for (int j = 0; j <= i; j++) {
      float value = values[i * lead + j];
      stage[indexOf(P, i, j)] = value;
      if (!isfinite(value))
        TRY_CLEANUP(txFail(txContextError(P->context), TEXLA_NOT_FINITE, call,
                           "entry (%d, %d) is %g", i + 1, j + 1, (double)value));
    }
  TRY_CLEANUP(txTextureWrite(P->texture, call, allOf(P), stage));
cleanup:
  free(stage);
  return status;
}

clStatus clPackedDownload(const clPacked *P, float *values, int64_t lead) {
  static const char call[] = "clPackedDownload";
  TRY(checkHost(call, P, values, lead));
  float *stage = createStage(P, call);
  if (!stage)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureRead(P->texture, call, allOf(P), stage));
  for (int i = 0; i < P->order; i++)
    for (int j = 0; j <= i; j++)
      values[i * lead + j] = stage[indexOf(P, i, j)];
cleanup:
  free(stage);
  return status;
}

/* The triangle stands for a symmetric matrix: (i, j) and (j, i) are one entry. */
clStatus clPackedEntry(const clPacked *P, int i, int j, float *value) {
  static const char call[] = "clPackedEntry";
  if (!P || !value || i < 0 || j < 0 || i >= P->order || j >= P->order)
    return txFail(txContextError(clPackedContext(P)), TEXLA_BAD_ARGUMENT, call,
                  "P and value must not be NULL and (%d, %d) a position in a matrix of order %d", i,
                  j, clPackedOrder(P));
  size_t at = indexOf(P, txMost(i, j), txLeast(i, j)),
         lanes = txFormatBytes(P->texture->format) / sizeof(float);
  size_t width = (size_t)P->texture->width, texel = at / lanes;
  float lane[4];
  TRY(txTextureRead(P->texture, call, (txRect){(int)(texel % width), (int)(texel / width), 1, 1},
                    lane));
  *value = lane[at % lanes];
  return TEXLA_OK;
}

/* Square, in a packing that triangles have. */
static clStatus checkDense(const char *call, clContext *context, int order, const clDense *A) {
  TRY(txDenseCheck(call, context, "A", A));
  if (!canPack(A->packing))
    return txFail(txContextError(context), TEXLA_UNSUPPORTED, call,
                  "A is in %s packing but must be in 2x2 or 1x1", clPackingName(A->packing));
  if (A->rows == order && A->cols == order)
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_BAD_SHAPE, call,
                "A is %d x %d but the triangle has order %d", A->rows, A->cols, order);
}

/* Fails unless there is a triangle. */
static clStatus checkPacked(const char *call, const clPacked *P) {
  if (!P)
    return txFail(NULL, TEXLA_BAD_ARGUMENT, call, "the triangle must not be NULL");
  return TEXLA_OK;
}

clStatus clPackedFromDense(clPacked *P, const clDense *A) {
  static const char call[] = "clPackedFromDense";
  TRY(checkPacked(call, P));
  TRY(checkDense(call, P->context, P->order, A));
  txLower target = txLowerOfPacked(P), from = txLowerOfDense(A);
  return txLowerCopy(call, &target, 1, &from, false);
}

clStatus clPackedToDense(clDense *A, const clPacked *P, bool symmetric) {
  static const char call[] = "clPackedToDense";
  TRY(checkPacked(call, P));
  TRY(checkDense(call, P->context, P->order, A));
  txLower target = txLowerOfDense(A), from = txLowerOfPacked(P);
  return txLowerCopy(call, &target, 1, &from, symmetric);
}

clStatus clPackedCopy(clPacked *Q, const clPacked *P) {
  static const char call[] = "clPackedCopy";
  TRY(checkPacked(call, P));
  TRY(checkPacked(call, Q));
  TRY(txContextSame(Q->context, P->context, call));
  if (P == Q)
    return TEXLA_OK;
  if (P->order != Q->order)
    return txFail(txContextError(Q->context), TEXLA_BAD_SHAPE, call,
                  "Q has order %d but P order %d", Q->order, P->order);
  txLower target = txLowerOfPacked(Q), from = txLowerOfPacked(P);
  return txLowerCopy(call, &target, 1, &from, false);
}

/* y <- A x with A symmetric: each row is the triangle's row, and below the diagonal its column. */
clStatus clPackedMulVector(clVector *y, const clPacked *P, const clVector *x) {
  static const char call[] = "clPackedMulVector";
  TRY(checkPacked(call, P));
  TRY(txVectorsAgree(call, "y", y, "x", x));
  TRY(txContextSame(P->context, y->context, call));
  if (clVectorLength(x) != P->order || x->layout.grid)
    return txFail(txContextError(P->context), TEXLA_BAD_SHAPE, call,
                  "the triangle has order %d, but x has length %lld%s", P->order,
                  (long long)clVectorLength(x),
                  txWhen(x->layout.grid, " on a grid (linear vectors are wanted)"));
  txLower lower = txLowerOfPacked(P);
  const char *defines = "#define FOLDED\n";
  if (lower.single)
    defines = "#define FOLDED\n#define SINGLE\n";
  txPass pass = {
      .kernel = "lower_multiply",
      .defines = defines,
      .source = {{"lower", P->texture, TX_EDGE}, {"x", x->texture, TX_EDGE}},
      .uniform = {{"triangle", 2, {(float)lower.texels, (float)lower.order}, .integer = true},
                  {"row_of_x", 1, {(float)x->layout.row}, .integer = true}},
      .work = 5 * (int64_t)P->order};
  return txVectorRun(call, &pass, y);
}
