/* clDense: life, packing and transfer (B1). */
#include "dense/dense.h"
#include "core/allocate.h"
#include "core/try.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const txPackingShape shapes[] = {[TEXLA_PACKING_2X2] = {2, 2, 4, TX_RGBA32F},
                                        [TEXLA_PACKING_1X1] = {1, 1, 1, TX_R32F},
                                        [TEXLA_PACKING_4X1] = {4, 1, 4, TX_RGBA32F},
                                        [TEXLA_PACKING_1X4] = {1, 4, 4, TX_RGBA32F}};

txPackingShape txPackingOf(clPacking packing) {
  return shapes[packing];
}

const char *clPackingName(clPacking packing) {
  static const char *const names[] = {"2x2", "1x1", "4x1", "1x4"};
  if (packing < TEXLA_PACKING_2X2 || packing > TEXLA_PACKING_1X4)
    return "unknown";
  return names[packing];
}

/* Lanes beyond the last row and column are part of the texture; whoever writes it leaves zeros
 * there. */
clStatus txDenseTexture(txTexture **out, clContext *context, const char *call, int rows, int cols,
                        clPacking packing) {
  txPackingShape s = shapes[packing];
  int width = cols / s.cols + (cols % s.cols != 0), height = rows / s.rows + (rows % s.rows != 0);
  int limit = clContextInspect(context)->max_texture_size;
  if (width > limit || height > limit)
    return txFail(txContextError(context), TEXLA_TOO_LARGE, call,
                  "a %d x %d matrix in %s packing needs a texture of %d x %d texels, but the "
                  "device's limit is %d x %d",
                  rows, cols, clPackingName(packing), width, height, limit, limit);
  TRY(txTextureCreate(out, context, call, s.format, width, height));
  (*out)->meaning = (txMeaning){"dense", {rows, cols, s.rows, s.cols}};
  return TEXLA_OK;
}

clStatus txDenseCreate(clDense **out, clContext *context, const char *call, int rows, int cols,
                       clPacking packing, bool cleared) {
  clDense *A = txAllocate(txContextError(context), call, 1, sizeof *A, "a clDense");
  if (!A)
    return TEXLA_OUT_OF_MEMORY;
  *A = (clDense){.context = context, .rows = rows, .cols = cols, .packing = packing};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDenseTexture(&A->texture, context, call, rows, cols, packing));
  if (cleared)
    TRY_CLEANUP(txTextureClear(A->texture, call));
  *out = A;
  A = NULL;
cleanup:
  clDenseDestroy(A);
  return status;
}

/* The arguments of a caller are checked here. */
static clStatus denseCreate(const char *call, clDense **out, clContext *context, int rows, int cols,
                            clPacking packing) {
  if (!out || !context || rows < 1 || cols < 1 || packing < TEXLA_PACKING_2X2 ||
      packing > TEXLA_PACKING_1X4)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL, rows (%d) and cols (%d) at least 1, the "
                  "packing one of the list",
                  rows, cols);
  return txDenseCreate(out, context, call, rows, cols, packing, true);
}

clStatus clDenseCreate(clDense **out, clContext *context, int rows, int cols) {
  return denseCreate("clDenseCreate", out, context, rows, cols, TEXLA_PACKING_2X2);
}

clStatus clDenseCreateWithPacking(clDense **out, clContext *context, int rows, int cols,
                                  clPacking packing) {
  return denseCreate("clDenseCreateWithPacking", out, context, rows, cols, packing);
}

clStatus clDenseCreateLike(clDense **out, const clDense *A) {
  return denseCreate("clDenseCreateLike", out, clDenseContext(A), clDenseRows(A), clDenseCols(A),
                     clDensePacking(A));
}

void clDenseDestroy(clDense *A) {
  if (!A)
    return;
  txTextureDestroy(A->texture);
  free(A);
}

int clDenseRows(const clDense *A) {
  return A ? A->rows : 0;
}

int clDenseCols(const clDense *A) {
  return A ? A->cols : 0;
}

clPacking clDensePacking(const clDense *A) {
  if (!A)
    return TEXLA_PACKING_2X2;
  return A->packing;
}

clContext *clDenseContext(const clDense *A) {
  return A ? A->context : NULL;
}

/* The texels of a whole matrix on the host. */
typedef struct stage {
  txPackingShape shape;
  int width, height;
  float *texels;
} stage;

/* Room for all lanes, those outside of the matrix zero. */
static clStatus stageCreate(stage *s, const clDense *A, const char *call) {
  const txTexture *t = A->texture;
  *s = (stage){.shape = shapes[A->packing], .width = t->width, .height = t->height};
  s->texels = txAllocate(txContextError(A->context), call, (size_t)t->width * (size_t)t->height,
                         txFormatBytes(t->format), "transferring a matrix");
  if (s->texels)
    return TEXLA_OK;
  return TEXLA_OUT_OF_MEMORY;
}

/* Where entry (i, j) is. */
static float *stageAt(const stage *s, int i, int j) {
  size_t texel = (size_t)(i / s->shape.rows) * (size_t)s->width + (size_t)(j / s->shape.cols);
  int lane = i % s->shape.rows * s->shape.cols + j % s->shape.cols;
  return s->texels + texel * (size_t)s->shape.lanes + lane;
}

static clStatus stageWrite(stage *s, clDense *A, const char *call) {
  return txTextureWrite(A->texture, call, (txRect){0, 0, s->width, s->height}, s->texels);
}

static clStatus denseNotFinite(const clDense *A, const char *call, int i, int j, double value) {
  return txFail(txContextError(A->context), TEXLA_NOT_FINITE, call,
                "entry (%d, %d) is %g, which single precision cannot hold", i + 1, j + 1, value);
}

static clStatus denseCheckHost(const char *call, const clDense *A, const float *values,
                               int64_t lead) {
  if (A && values && lead >= A->cols)
    return TEXLA_OK;
  return txFail(
      txContextError(clDenseContext(A)), TEXLA_BAD_ARGUMENT, call,
      "A and values must not be NULL and the leading dimension %lld not less than the %d columns",
      (long long)lead, clDenseCols(A));
}

/* All values are checked first, so that nothing of a matrix with NaN arrives. */
clStatus clDenseUpload(clDense *A, const float *values, int64_t lead) {
  static const char call[] = "clDenseUpload";
  TRY(denseCheckHost(call, A, values, lead));
  stage s;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(stageCreate(&s, A, call));
  for (int i = 0; i < A->rows; i++) {
    const float *row = values + i * lead;
    for (int j = 0; j < A->cols; j++) {
      *stageAt(&s, i, j) = row[j];
      if (!isfinite(row[j]))
        TRY_CLEANUP(denseNotFinite(A, call, i, j, (double)row[j]));
    }
  }
  TRY_CLEANUP(stageWrite(&s, A, call));
cleanup:
  free(s.texels);
  return status;
}

/* most[i] <- the largest magnitude of row i, most[rows + j] of column j. */
static void denseFindLargest(double *most, const clTriplets *T) {
  for (int64_t k = 0; k < T->count; k++) {
    double v = fabs(T->value[k]), *row = most + T->row[k], *col = most + T->rows + T->col[k];
    *row = fmax(*row, v);
    *col = fmax(*col, v);
  }
}

/* Devices take numbers below FLT_MIN for zeros. What vanishes beside much larger entries of its row
 * and of its column is rounding; else it is named, as what overflows is. */
static clStatus checkVanishing(const clDense *A, const char *call, const clTriplets *T) {
  const double enough = ldexp((double)FLT_MIN, 24);
  clError *error = txContextError(A->context);
  int64_t at = 0;
  while (at < T->count && !(T->value[at] != 0 && fabs(T->value[at]) < (double)FLT_MIN))
    at++;
  if (at == T->count)
    return TEXLA_OK;
  double *most = txAllocate(error, call, (size_t)T->rows + (size_t)T->cols, sizeof *most,
                            "the sizes of rows and columns");
  if (!most)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  denseFindLargest(most, T);
  for (; at < T->count; at++) {
    int32_t i = T->row[at], j = T->col[at];
    double v = fabs(T->value[at]), beside = fmin(most[i], most[T->rows + j]);
    if (v != 0 && v < (double)FLT_MIN && beside < enough)
      TRY_CLEANUP(
          txFail(error, TEXLA_NOT_FINITE, call,
                 "entry (%d, %d) is %g, which single precision takes for zero, and its row or "
                 "column has none above %g: scale the matrix",
                 i + 1, j + 1, T->value[at], beside));
  }
cleanup:
  free(most);
  return status;
}

/* Entries at one position add up, and may be beyond single precision only then. */
clStatus clDenseUploadTriplets(clDense *A, const clTriplets *T) {
  static const char call[] = "clDenseUploadTriplets";
  if (!A || !T)
    return txFail(txContextError(clDenseContext(A)), TEXLA_BAD_ARGUMENT, call,
                  "A and T must not be NULL");
  if (T->rows != A->rows || T->cols != A->cols)
    return txFail(txContextError(A->context), TEXLA_BAD_SHAPE, call,
                  "A is %d x %d but the triplets are %d x %d", A->rows, A->cols, T->rows, T->cols);
  TRY(checkVanishing(A, call, T));
  stage s;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(stageCreate(&s, A, call));
  for (int64_t k = 0; k < T->count; k++) {
    float *entry = stageAt(&s, T->row[k], T->col[k]);
    *entry += (float)T->value[k];
    if (!(fabs(T->value[k]) <= (double)FLT_MAX))
      TRY_CLEANUP(denseNotFinite(A, call, T->row[k], T->col[k], T->value[k]));
    if (!isfinite(*entry))
      TRY_CLEANUP(denseNotFinite(A, call, T->row[k], T->col[k], (double)*entry));
  }
  TRY_CLEANUP(stageWrite(&s, A, call));
cleanup:
  free(s.texels);
  return status;
}

static clStatus stageRead(stage *s, const clDense *A, const char *call) {
  TRY(stageCreate(s, A, call));
  return txTextureRead(A->texture, call, (txRect){0, 0, s->width, s->height}, s->texels);
}

clStatus clDenseDownload(const clDense *A, float *values, int64_t lead) {
  static const char call[] = "clDenseDownload";
  TRY(denseCheckHost(call, A, values, lead));
  stage s;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(stageRead(&s, A, call));
  for (int i = 0; i < A->rows; i++)
    for (int j = 0; j < A->cols; j++)
      values[i * lead + j] = *stageAt(&s, i, j);
cleanup:
  free(s.texels);
  return status;
}

/* Room for all entries, also for those that turn out to be zero. */
clStatus clDenseDownloadTriplets(clTriplets **out, const clDense *A) {
  static const char call[] = "clDenseDownloadTriplets";
  if (!out || !A)
    return txFail(txContextError(clDenseContext(A)), TEXLA_BAD_ARGUMENT, call,
                  "out and A must not be NULL");
  stage s = {0};
  clTriplets *T = NULL;
  clError *error = txContextError(A->context);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsCreate(&T, A->rows, A->cols, (int64_t)A->rows * A->cols, error));
  TRY_CLEANUP(stageRead(&s, A, call));
  for (int i = 0; i < A->rows; i++)
    for (int j = 0; j < A->cols; j++) {
      float value = *stageAt(&s, i, j);
      if (isfinite(value))
        TRY_CLEANUP(clTripletsAdd(T, i, j, (double)value, error));
      else
        TRY_CLEANUP(denseNotFinite(A, call, i, j, (double)value));
    }
  *out = T;
  T = NULL;
cleanup:
  free(s.texels);
  clTripletsDestroy(T);
  return status;
}
