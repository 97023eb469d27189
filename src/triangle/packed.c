/* clPacked: a lower triangle in rectangular packed format (J2). */
#include "triangle/lower.h"
#include "core/allocate.h"
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

clPacking clPackedPacking(const clPacked *P) {
  return P ? P->packing : TEXLA_PACKING_2X2;
}

clContext *clPackedContext(const clPacked *P) {
  return P ? P->context : NULL;
}

void clPackedTexels(const clPacked *P, int *width, int *height) {
  if (width)
    *width = P ? P->texture->width : 0;
  if (height)
    *height = P ? P->texture->height : 0;
}

/* Where entry (i, j), j <= i, stands among the texture's numbers. */
static size_t indexOf(const clPacked *P, int i, int j) {
  txLower lower = txLowerOfPacked(P);
  int side = lower.single ? 1 : 2, lane = lower.single ? 0 : i % 2 * 2 + j % 2;
  txLowerPart part = txLowerPartOf(&lower, 0);
  if (j / side >= part.cols)
    part = txLowerPartOf(&lower, 1);
  int x = part.x + part.turn * (j / side), y = part.y + part.turn * (i / side);
  size_t lanes = (size_t)side * (size_t)side;
  if (part.turn < 0)
    lane = side * side - 1 - lane;
  return ((size_t)y * (size_t)P->texture->width + (size_t)x) * lanes + (size_t)lane;
}

static float *createStage(const clPacked *P, const char *call, clStatus *status) {
  float *stage = txAllocate(txContextError(P->context), call,
                            (size_t)P->texture->width * (size_t)P->texture->height,
                            txFormatBytes(P->texture->format), "the transfer of a triangle");
  if (!stage)
    *status = TEXLA_OUT_OF_MEMORY;
  return stage;
}

static clStatus checkHost(const char *call, const clPacked *P, const float *values, int64_t lead) {
  if (P && values && lead >= P->order)
    return TEXLA_OK;
  return txFail(
      txContextError(clPackedContext(P)), TEXLA_BAD_ARGUMENT, call,
      "P and values must not be NULL and the leading dimension %lld not less than the order %d",
      (long long)lead, clPackedOrder(P));
}

clStatus clPackedUpload(clPacked *P, const float *values, int64_t lead) {
  static const char call[] = "clPackedUpload";
  clStatus status = checkHost(call, P, values, lead);
  if (status)
    return status;
  float *stage = createStage(P, call, &status);
  for (int i = 0; i < P->order && !status; i++)
    for (int j = 0; j <= i && !status; j++) {
      float value = stage[indexOf(P, i, j)] = values[i * lead + j];
      if (!isfinite(value))
        status = txFail(txContextError(P->context), TEXLA_NOT_FINITE, call, "entry (%d, %d) is %g",
                        i + 1, j + 1, (double)value);
    }
  if (!status)
    status = txTextureWrite(P->texture, call, (txRect){0, 0, P->texture->width, P->texture->height},
                            stage);
  free(stage);
  return status;
}

clStatus clPackedDownload(const clPacked *P, float *values, int64_t lead) {
  static const char call[] = "clPackedDownload";
  clStatus status = checkHost(call, P, values, lead);
  if (status)
    return status;
  float *stage = createStage(P, call, &status);
  if (!status)
    status = txTextureRead(P->texture, call, (txRect){0, 0, P->texture->width, P->texture->height},
                           stage);
  for (int i = 0; i < P->order && !status; i++)
    for (int j = 0; j <= i; j++)
      values[i * lead + j] = stage[indexOf(P, i, j)];
  free(stage);
  return status;
}

clStatus clPackedEntry(const clPacked *P, int i, int j, float *value) {
  static const char call[] = "clPackedEntry";
  if (!P || !value || i < 0 || j < 0 || i >= P->order || j >= P->order)
    return txFail(txContextError(clPackedContext(P)), TEXLA_BAD_ARGUMENT, call,
                  "P and value must not be NULL and (%d, %d) a position in a matrix of order %d", i,
                  j, clPackedOrder(P));
  size_t at = i >= j ? indexOf(P, i, j) : indexOf(P, j, i),
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

static clStatus checkPacked(const char *call, const clPacked *P) {
  return P ? TEXLA_OK : txFail(NULL, TEXLA_BAD_ARGUMENT, call, "the triangle must not be NULL");
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
  clStatus status = checkPacked(call, P);
  if (!status)
    status = checkPacked(call, Q);
  if (!status)
    status = txContextSame(Q->context, P->context, call);
  if (status || P == Q)
    return status;
  if (P->order != Q->order)
    return txFail(txContextError(Q->context), TEXLA_BAD_SHAPE, call,
                  "Q has order %d but P order %d", Q->order, P->order);
  txLower target = txLowerOfPacked(Q), from = txLowerOfPacked(P);
  return txLowerCopy(call, &target, 1, &from, false);
}

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
  txPass pass = {
      .kernel = "lower_multiply",
      .defines = lower.single ? "#define FOLDED\n#define SINGLE\n" : "#define FOLDED\n",
      .source = {{"lower", P->texture, TX_EDGE}, {"x", x->texture, TX_EDGE}},
      .uniform = {{"triangle", 2, {(float)lower.texels, (float)lower.order}, .integer = true},
                  {"row_of_x", 1, {(float)x->layout.row}, .integer = true}},
      .work = 5 * (int64_t)P->order};
  return txVectorRun(call, &pass, y);
}
