/* The storage dense (K3): column vectors side by side. */
#include "objects/matrix_dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRIP_BYTES = 1 << 24 };

/* Where the columns come from: an array, or triplets sorted by columns (their rows are A's columns). */
typedef struct columnSource {
  const float *values;
  int64_t lead;
  const clTriplets *sorted;
  int64_t next;
} columnSource;

/* Writes column j into its image, whose texture rows are `stride` floats apart. */
static void fillColumn(columnSource *source, int64_t j, const txLayout *layout, float *image, size_t stride) {
  if (source->values) {
    const float *column = source->values + j * source->lead;
    for (int64_t r = 0; r * layout->row < layout->length; r++) {
      int64_t left = layout->length - r * layout->row, n = left < layout->row ? left : layout->row;
      memcpy(image + (size_t)r * stride, column + r * layout->row, (size_t)n * sizeof *image);
    }
    return;
  }
  const clTriplets *T = source->sorted;
  for (; source->next < T->count && T->row[source->next] == j; source->next++) {
    int64_t i = T->col[source->next];
    image[(size_t)(i / layout->row) * stride + (size_t)(i % layout->row)] = (float)T->value[source->next];
  }
}

/* As few images side by side as the height allows. */
static clStatus chooseShape(txDense *dense, const clMatrix *A, const char *call, int *width, int *height) {
  const txLayout *image = &A->row_layout;
  int64_t limit = clContextInspect(A->context)->max_texture_size, rows;
  dense->across = 0;
  while ((rows = ((int64_t)A->cols + (1 << dense->across) - 1) >> dense->across) * image->height > limit &&
         (int64_t)image->width << (dense->across + 1) <= limit)
    dense->across++;
  if (rows * image->height > limit)
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                  "%d columns of %d x %d texels each do not fit into one texture; the device's limit is %lld x %lld",
                  A->cols, image->width, image->height, (long long)limit, (long long)limit);
  *width = image->width << dense->across;
  *height = (int)rows * image->height;
  return TEXLA_OK;
}

/* Uploads strip by strip: `count` rows of images at a time. */
static clStatus uploadColumns(txDense *dense, const clMatrix *A, const char *call, columnSource *source) {
  const txLayout *image = &A->row_layout;
  const txTexture *t = dense->texture;
  int rows = t->height / image->height, across = 1 << dense->across;
  size_t stride = 4 * (size_t)t->width, size = stride * (size_t)image->height;
  int strip = (int)(STRIP_BYTES / (size * sizeof(float)));
  strip = strip < 1 ? 1 : strip < rows ? strip : rows;
  float *buffer = malloc((size_t)strip * size * sizeof *buffer);
  if (!buffer)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory to upload columns");
  clStatus status = TEXLA_OK;
  for (int first = 0; first < rows && !status; first += strip) {
    int count = rows - first < strip ? rows - first : strip;
    memset(buffer, 0, (size_t)count * size * sizeof *buffer);
    int64_t from = (int64_t)first << dense->across, to = (int64_t)(first + count) << dense->across;
    for (int64_t j = from; j < to && j < A->cols; j++)
      fillColumn(source, j, image,
                 buffer + (size_t)((j >> dense->across) - first) * size +
                     (size_t)(j % across) * 4 * (size_t)image->width,
                 stride);
    status = txTextureWrite(dense->texture, call, (txRect){0, first * image->height, t->width, count * image->height},
                            buffer);
  }
  free(buffer);
  return status;
}

/* `source` NULL: zeros. */
static clStatus fill(clMatrix *A, const char *call, columnSource *source) {
  txDense *dense = A->data = calloc(1, sizeof *dense);
  if (!dense)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory for a clMatrix");
  int width = 0, height = 0;
  clStatus status = chooseShape(dense, A, call, &width, &height);
  if (!status && !txLayoutLinear(&dense->columns, A->context, A->cols))
    status = txFail(txContextError(A->context), TEXLA_TOO_LARGE, call, "a vector of length %d is too long", A->cols);
  if (!status)
    status = txTextureCreate(&dense->texture, A->context, call, TX_RGBA32F, width, height);
  if (!status)
    status = source ? uploadColumns(dense, A, call, source) : txTextureClear(dense->texture, call);
  if (!status)
    txMatrixDescribe(A, ", %d x %d, a texture of %d x %d", A->rows, A->cols, width, height);
  return status;
}

static clStatus create(clMatrix *A, const char *call, const txRows *rows, const clMatrixOptions *options) {
  (void)options;
  clTriplets *sorted = NULL;
  clStatus status = clTripletsTranspose(&sorted, rows->A, txContextError(A->context));
  columnSource source = {.sorted = sorted};
  if (!status)
    status = fill(A, call, &source);
  clTripletsDestroy(sorted);
  return status;
}

static void destroy(clMatrix *A) {
  txDense *dense = A->data;
  if (!dense)
    return;
  txTextureDestroy(dense->texture);
  free(dense);
}

const txStorageLife txDenseLife = {create, destroy};

clStatus txColumnsCreate(clMatrix **out, clContext *context, const char *call, const txLayout *column, int32_t count) {
  clMatrix *A = calloc(1, sizeof *A);
  if (!A)
    return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory for a clMatrix");
  *A = (clMatrix){.context = context, .rows = (int32_t)column->length, .cols = count, .storage = TEXLA_STORAGE_DENSE};
  A->count = column->length * count;
  A->row_layout = *column;
  clStatus status = txLayoutLinear(&A->col_layout, context, count) ? fill(A, call, NULL) : TEXLA_TOO_LARGE;
  if (status)
    clMatrixDestroy(A);
  else
    *out = A;
  return status;
}

static clStatus checkDense(clMatrix **out, clContext *context, const char *call, int32_t rows, int32_t cols,
                           const float *values, int64_t lead) {
  if (!out || !context || !values || rows < 1 || cols < 1 || lead < rows)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out, context and values must not be NULL, rows (%d) and cols (%d) at least 1, lead (%lld) at least "
                  "rows",
                  rows, cols, (long long)lead);
  for (int64_t j = 0; j < cols; j++)
    for (int64_t i = 0; i < rows; i++)
      if (!isfinite(values[i + j * lead]))
        return txFail(txContextError(context), TEXLA_NOT_FINITE, call, "entry (%lld, %lld) is %g", (long long)i + 1,
                      (long long)j + 1, (double)values[i + j * lead]);
  return TEXLA_OK;
}

clStatus clMatrixCreateDense(clMatrix **out, clContext *context, int32_t rows, int32_t cols, const float *values,
                             int64_t lead) {
  static const char call[] = "clMatrixCreateDense";
  clStatus status = checkDense(out, context, call, rows, cols, values, lead);
  if (status)
    return status;
  clMatrix *A = calloc(1, sizeof *A);
  if (!A)
    return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory for a clMatrix");
  *A = (clMatrix){
      .context = context, .rows = rows, .cols = cols, .count = (int64_t)rows * cols, .storage = TEXLA_STORAGE_DENSE};
  columnSource source = {.values = values, .lead = lead};
  txMatrixDescribe(A, "%s", clStorageName(A->storage));
  status = txMatrixLayouts(A, call, &(clMatrixOptions){.linear = true});
  if (!status)
    status = fill(A, call, &source);
  if (status)
    clMatrixDestroy(A);
  else
    *out = A;
  return status;
}
