/* The storage dense (K3): column vectors side by side. */
#include "matrix/columns.h"
#include "core/try.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "matrix/gather.h"
#include "matrix/multivector.h"
#include "matrix/residual.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIP_BYTES = 1 << 24 };

/* Where the columns come from: an array, row after row, or triplets sorted by columns (their rows
 * are A's columns). */
typedef struct columnSource {
  const float *values;
  int64_t lead;
  const clTriplets *sorted;
  int64_t next;
} columnSource;

/* Writes column j into its image, whose texture rows are `stride` floats apart. */
static void fillColumn(columnSource *source, int64_t j, const txLayout *layout, float *image,
                       size_t stride) {
  if (source->values) {
    for (int64_t i = 0; i < layout->length; i++)
      image[(size_t)(i / layout->row) * stride + (size_t)(i % layout->row)] =
          source->values[i * source->lead + j];
    return;
  }
  const clTriplets *T = source->sorted;
  for (; source->next < T->count && T->row[source->next] == j; source->next++) {
    int64_t i = T->col[source->next];
    image[(size_t)(i / layout->row) * stride + (size_t)(i % layout->row)] =
        (float)T->value[source->next];
  }
}

/* As few images side by side as the height allows. */
static clStatus chooseShape(txDense *dense, const clMatrix *A, const char *call, int *width,
                            int *height) {
  const txLayout *image = &A->row_layout;
  int64_t limit = clContextInspect(A->context)->max_texture_size, rows = A->cols;
  dense->across = 0;
  while (rows * image->height > limit && (int64_t)image->width << (dense->across + 1) <= limit) {
    dense->across++;
    rows = ((int64_t)A->cols + (1 << dense->across) - 1) >> dense->across;
  }
  if (rows * image->height > limit)
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                  "%d columns of %d x %d texels each do not fit into one texture; the device's "
                  "limit is %lld x %lld",
                  A->cols, image->width, image->height, (long long)limit, (long long)limit);
  *width = image->width << dense->across;
  *height = (int)rows * image->height;
  return TEXLA_OK;
}

/* Uploads strip by strip: `count` rows of images at a time. */
static clStatus uploadColumns(txDense *dense, const clMatrix *A, const char *call,
                              columnSource *source) {
  const txLayout *image = &A->row_layout;
  const txTexture *t = dense->texture;
  int rows = t->height / image->height, across = 1 << dense->across;
  size_t stride = 4 * (size_t)t->width, size = stride * (size_t)image->height;
  int strip = (int)(STRIP_BYTES / (size * sizeof(float)));
  strip = txMost(1, txLeast(strip, rows));
  float *buffer = txAllocate(txContextError(A->context), call, (size_t)strip * size, sizeof *buffer,
                             "uploading columns");
  if (!buffer)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  for (int first = 0; first < rows; first += strip) {
    int count = txLeast(rows - first, strip);
    memset(buffer, 0, (size_t)count * size * sizeof *buffer);
    int64_t from = (int64_t)first << dense->across, to = (int64_t)(first + count) << dense->across;
    for (int64_t j = from; j < to && j < A->cols; j++)
      fillColumn(source, j, image,
                 buffer + (size_t)((j >> dense->across) - first) * size +
                     (size_t)(j % across) * 4 * (size_t)image->width,
                 stride);
    TRY_CLEANUP(txTextureWrite(dense->texture, call,
                               (txRect){0, first * image->height, t->width, count * image->height},
                               buffer));
  }
cleanup:
  free(buffer);
  return status;
}

/* Makes the texture and fills it; without a source (NULL) with zeros. */
static clStatus fill(clMatrix *A, const char *call, columnSource *source) {
  txDense *dense = A->data =
      txAllocate(txContextError(A->context), call, 1, sizeof *dense, "a clMatrix");
  if (!dense)
    return TEXLA_OUT_OF_MEMORY;
  int width = 0, height = 0;
  TRY(chooseShape(dense, A, call, &width, &height));
  if (!txLayoutLinear(&dense->columns, A->context, A->cols))
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                  "a vector of length %d is too long", A->cols);
  TRY(txTextureCreate(&dense->texture, A->context, call, TX_RGBA32F, width, height));
  if (source)
    TRY(uploadColumns(dense, A, call, source));
  else
    TRY(txTextureClear(dense->texture, call));
  txMatrixDescribe(A, ", %d x %d, a texture of %d x %d", A->rows, A->cols, width, height);
  return TEXLA_OK;
}

/* Entries sorted by columns are written column by column. */
static clStatus create(clMatrix *A, const char *call, const txRows *rows,
                       const clMatrixOptions *options) {
  (void)options;
  clTriplets *sorted = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsTranspose(&sorted, rows->A, txContextError(A->context)));
  columnSource source = {.sorted = sorted};
  TRY_CLEANUP(fill(A, call, &source));
cleanup:
  clTripletsDestroy(sorted);
  return status;
}

/* Whatever has been made so far. */
static void destroy(clMatrix *A) {
  txDense *dense = A->data;
  if (!dense)
    return;
  txTextureDestroy(dense->texture);
  free(dense);
}

/* A matrix of zeros whose columns are vectors of the caller's layout. */
clStatus txColumnsCreate(clMatrix **out, clContext *context, const char *call,
                         const txLayout *column, int32_t count) {
  clMatrix *A = txAllocate(txContextError(context), call, 1, sizeof *A, "a clMatrix");
  if (!A)
    return TEXLA_OUT_OF_MEMORY;
  *A = (clMatrix){.context = context,
                  .rows = (int32_t)column->length,
                  .cols = count,
                  .storage = TEXLA_STORAGE_DENSE,
                  .operations = &txDenseStorage};
  A->count = column->length * count;
  A->row_layout = *column;
  clStatus status = TEXLA_OK;
  if (txLayoutLinear(&A->col_layout, context, count))
    TRY_CLEANUP(fill(A, call, NULL));
  else
    TRY_CLEANUP(TEXLA_TOO_LARGE);
  *out = A;
  return TEXLA_OK;
cleanup:
  clMatrixDestroy(A);
  return status;
}

/* What clMatrixCreateDense refuses. */
static clStatus checkDense(clMatrix **out, clContext *context, const char *call, int32_t rows,
                           int32_t cols, const float *values, int64_t lead) {
  if (!out || !context || !values || rows < 1 || cols < 1 || lead < cols)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out, context and values must not be NULL, rows (%d) and cols (%d) at least 1, "
                  "lead (%lld) at least "
                  "cols",
                  rows, cols, (long long)lead);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++)
      if (!isfinite(values[i * lead + j]))
        return txFail(txContextError(context), TEXLA_NOT_FINITE, call, "entry (%lld, %lld) is %g",
                      (long long)i + 1, (long long)j + 1, (double)values[i * lead + j]);
  return TEXLA_OK;
}

/* The array goes to the device as it is: nothing is looked for in it, and no copy is kept. */
clStatus clMatrixCreateDense(clMatrix **out, clContext *context, int32_t rows, int32_t cols,
                             const float *values, int64_t lead) {
  static const char call[] = "clMatrixCreateDense";
  TRY(checkDense(out, context, call, rows, cols, values, lead));
  clMatrix *A = txAllocate(txContextError(context), call, 1, sizeof *A, "a clMatrix");
  if (!A)
    return TEXLA_OUT_OF_MEMORY;
  *A = (clMatrix){.context = context,
                  .rows = rows,
                  .cols = cols,
                  .count = (int64_t)rows * cols,
                  .storage = TEXLA_STORAGE_DENSE,
                  .operations = &txDenseStorage};
  columnSource source = {.values = values, .lead = lead};
  txMatrixDescribe(A, "%s", clStorageName(A->storage));
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txMatrixLayouts(A, call, &(clMatrixOptions){.linear = true}));
  TRY_CLEANUP(fill(A, call, &source));
  *out = A;
  return TEXLA_OK;
cleanup:
  clMatrixDestroy(A);
  return status;
}

/* A pass over the image of column j. */
clStatus txColumnsSet(const char *call, clMatrix *A, int32_t j, const clVector *x) {
  const txDense *dense = A->data;
  int w = A->row_layout.width, h = A->row_layout.height,
      left = (j & ((1 << dense->across) - 1)) * w, bottom = (j >> dense->across) * h;
  txPass pass = {.kernel = "columns_set",
                 .target = {dense->texture},
                 .source = {{"x", x->texture, TX_EDGE}},
                 .rect = {left, bottom, w, h}};
  txPassIntegers(&pass, "corner", 2, left, bottom);
  return txPassRun(A->context, call, &pass);
}

/* Each entry costs one unit, zeros too; a matrix that is wider or higher than textures allow does
 * not fit. */
static double cost(const txLook *look) {
  const clTriplets *T = look->rows->A;
  int64_t limit = clContextInspect(look->context)->max_texture_size;
  double area = (double)T->rows * T->cols;
  if (T->rows > 4 * limit || T->cols > limit || !txLookFits(look, 4 * area))
    return INFINITY;
  return TX_COST_PASS + area;
}

static void reason(const txLook *look, char *why, size_t n) {
  const clTriplets *T = look->rows->A;
  double entries = (double)T->count, area = (double)T->rows * T->cols;
  snprintf(why, n, "%.0f %% full%s", txPercent(entries, area),
           txWhen(entries < area / 4, ", but small"));
}

const txStorage txDenseStorage = {
    .create = create,
    .destroy = destroy,
    .multiply = txColumnsMultiply,
    .multiplySeveral = txColumnsMultiplySeveral,
    .residual = txColumnsResidual,
    .diagonal = txColumnsDiagonal,
    .cost = cost,
    .reason = reason,
};
