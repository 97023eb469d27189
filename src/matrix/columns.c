/* The storage dense (K3): column vectors side by side. */
#include "matrix/columns.h"
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
  int64_t limit = clContextInspect(A->context)->max_texture_size, rows;
  dense->across = 0;
  while ((rows = ((int64_t)A->cols + (1 << dense->across) - 1) >> dense->across) * image->height >
             limit &&
         (int64_t)image->width << (dense->across + 1) <= limit)
    dense->across++;
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
  strip = strip < 1 ? 1 : strip < rows ? strip : rows;
  float *buffer = txAllocate(txContextError(A->context), call, (size_t)strip * size, sizeof *buffer,
                             "uploading columns");
  if (!buffer)
    return TEXLA_OUT_OF_MEMORY;
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
    status =
        txTextureWrite(dense->texture, call,
                       (txRect){0, first * image->height, t->width, count * image->height}, buffer);
  }
  free(buffer);
  return status;
}

/* `source` NULL: zeros. */
static clStatus fill(clMatrix *A, const char *call, columnSource *source) {
  txDense *dense = A->data =
      txAllocate(txContextError(A->context), call, 1, sizeof *dense, "a clMatrix");
  if (!dense)
    return TEXLA_OUT_OF_MEMORY;
  int width = 0, height = 0;
  clStatus status = chooseShape(dense, A, call, &width, &height);
  if (!status && !txLayoutLinear(&dense->columns, A->context, A->cols))
    status = txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                    "a vector of length %d is too long", A->cols);
  if (!status)
    status = txTextureCreate(&dense->texture, A->context, call, TX_RGBA32F, width, height);
  if (!status)
    status = source ? uploadColumns(dense, A, call, source) : txTextureClear(dense->texture, call);
  if (!status)
    txMatrixDescribe(A, ", %d x %d, a texture of %d x %d", A->rows, A->cols, width, height);
  return status;
}

static clStatus create(clMatrix *A, const char *call, const txRows *rows,
                       const clMatrixOptions *options) {
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
  clStatus status =
      txLayoutLinear(&A->col_layout, context, count) ? fill(A, call, NULL) : TEXLA_TOO_LARGE;
  if (status)
    clMatrixDestroy(A);
  else
    *out = A;
  return status;
}

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

clStatus clMatrixCreateDense(clMatrix **out, clContext *context, int32_t rows, int32_t cols,
                             const float *values, int64_t lead) {
  static const char call[] = "clMatrixCreateDense";
  clStatus status = checkDense(out, context, call, rows, cols, values, lead);
  if (status)
    return status;
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
  status = txMatrixLayouts(A, call, &(clMatrixOptions){.linear = true});
  if (!status)
    status = fill(A, call, &source);
  if (status)
    clMatrixDestroy(A);
  else
    *out = A;
  return status;
}

/* The product of the storage dense. A row of fragments is too few for a device and a whole row of A
 * too long for a loop and for a serial sum: both directions make partial sums, in parts that lie
 * one above the other, and then join them. */

enum { FRAGMENTS = 8192, LONGEST = 64, SHORTEST = 4, JOINED = 64 };

static int ceilDiv(int64_t a, int64_t b) {
  return (int)((a + b - 1) / b);
}

static int shiftOf(const txLayout *linear) {
  int shift = 0;
  while ((int64_t)4 << shift < linear->row)
    shift++;
  return shift;
}

void txColumnsMatrix(txPass *pass, const clMatrix *A) {
  const txDense *dense = A->data;
  pass->source[0] = (txSource){"A", dense->texture, TX_EDGE};
  if (dense->across) {
    pass->defines = "#define ACROSS\n";
    txPassIntegers(pass, "across", 1, dense->across, 0);
  }
  txPassIntegers(pass, "image", 2, A->row_layout.width, A->row_layout.height);
}

/* y <- ca (the sum of `parts` images in `partial`) + cb b; destroys partial. */
static clStatus joinParts(const char *call, clVector *y, float ca, txTexture *partial, int parts,
                          float cb, const clVector *b) {
  clStatus status = TEXLA_OK;
  int height = y->layout.height;
  while (!status) {
    bool last = parts <= JOINED;
    int span = last ? parts : JOINED / 2, joined = ceilDiv(parts, span);
    txTexture *target = NULL;
    char defines[64] = "#define LAST\n";
    txPass pass = {.kernel = "parts", .source = {{"partial", partial, TX_EDGE}}, .work = span};
    txPassIntegers(&pass, "height", 1, height, 0);
    txPassIntegers(&pass, "parts", 1, parts, 0);
    txPassIntegers(&pass, "span", 1, span, 0);
    if (last) {
      txCombine(&pass, defines, sizeof defines, ca, cb, b);
      status = txVectorRun(call, &pass, y);
    } else {
      status =
          txTextureCreate(&target, y->context, call, TX_RGBA32F, partial->width, joined * height);
      pass.target[0] = target;
      if (!status)
        status = txPassRun(y->context, call, &pass);
    }
    txTextureDestroy(partial);
    partial = target;
    parts = joined;
    if (last)
      break;
  }
  if (status)
    txTextureDestroy(partial);
  return status;
}

/* Runs the pass of partial sums into `parts` images of y, then joins them. */
static clStatus runParts(const char *call, clVector *y, float ca, txPass *pass, int parts, float cb,
                         const clVector *b) {
  clStatus status = txTextureCreate(&pass->target[0], y->context, call, TX_RGBA32F, y->layout.width,
                                    y->layout.height * parts);
  if (!status)
    status = txPassRun(y->context, call, pass);
  if (status) {
    txTextureDestroy(pass->target[0]);
    return status;
  }
  return joinParts(call, y, ca, pass->target[0], parts, cb, b);
}

/* y <- ca A x + cb b; x is linear. */
static clStatus forward(const char *call, clVector *y, float ca, const clMatrix *A,
                        const clVector *x, float cb, const clVector *b) {
  int limit = clContextInspect(A->context)->max_texture_size;
  int64_t count = (x->layout.length + 3) / 4, texels = (int64_t)y->layout.width * y->layout.height;
  int parts = ceilDiv(count, LONGEST),
      wanted = (int)txLeast64(ceilDiv(FRAGMENTS, texels), ceilDiv(count, SHORTEST));
  parts = (int)txLeast64(parts > wanted ? parts : wanted, limit / y->layout.height);
  int span = ceilDiv(count, parts);
  txPass pass = {.kernel = "columns", .work = 5 * (int64_t)span};
  txColumnsMatrix(&pass, A);
  pass.source[1] = (txSource){"x", x->texture, TX_EDGE};
  txPassIntegers(&pass, "x_shift", 1, shiftOf(&x->layout), 0);
  txPassIntegers(&pass, "x_count", 1, (int)count, 0);
  txPassIntegers(&pass, "span", 1, span, 0);
  return runParts(call, y, ca, &pass, ceilDiv(count, span), cb, b);
}

/* y <- ca A^T x + cb b; y is linear. */
static clStatus backward(const char *call, clVector *y, float ca, const clMatrix *A,
                         const clVector *x, float cb, const clVector *b) {
  int limit = clContextInspect(A->context)->max_texture_size, w = x->layout.width,
      h = x->layout.height;
  /* parts */
  int most = limit / y->layout.height;
  int span_x = (int)txLeast64(w, LONGEST), span_y = (int)txLeast64(h, LONGEST / span_x);
  while ((int64_t)ceilDiv(w, span_x) * ceilDiv(h, span_y) > most)
    if (span_y < h)
      span_y = (int)txLeast64(h, 2 * (int64_t)span_y);
    else
      span_x = (int)txLeast64(w, 2 * (int64_t)span_x);
  txPass pass = {.kernel = "columns_transposed", .work = 5 * (int64_t)span_x * span_y};
  txColumnsMatrix(&pass, A);
  pass.source[1] = (txSource){"x", x->texture, TX_EDGE};
  txPassIntegers(&pass, "span", 2, span_x, span_y);
  txPassIntegers(&pass, "parts_x", 1, ceilDiv(w, span_x), 0);
  txPassIntegers(&pass, "y_shift", 1, shiftOf(&y->layout), 0);
  txPassIntegers(&pass, "y_height", 1, y->layout.height, 0);
  return runParts(call, y, ca, &pass, ceilDiv(w, span_x) * ceilDiv(h, span_y), cb, b);
}

/* x in the linear layout that the kernels want. */
static clStatus forwardFromGrid(const char *call, clVector *y, float ca, const clMatrix *A,
                                const clVector *x, float cb, const clVector *b) {
  const txDense *dense = A->data;
  clVector *linear = NULL;
  clStatus status = txVectorCreate(&linear, A->context, call, &dense->columns);
  if (!status)
    status = clVectorCopy(linear, x);
  if (!status)
    status = forward(call, y, ca, A, linear, cb, b);
  clVectorDestroy(linear);
  return status;
}

static clStatus backwardToGrid(const char *call, clVector *y, float ca, const clMatrix *A,
                               const clVector *x, float cb, const clVector *b) {
  const txDense *dense = A->data;
  clVector *linear = NULL, *grid = NULL;
  clStatus status = txVectorCreate(&linear, A->context, call, &dense->columns);
  if (!status)
    status = txVectorCreate(&grid, A->context, call, &A->col_layout);
  if (!status)
    status = backward(call, linear, 1, A, x, 0, NULL);
  if (!status)
    status = clVectorCopy(grid, linear);
  if (!status)
    status = b ? clVectorAdd(y, ca, NULL, grid, cb, NULL, b) : clVectorScale(y, ca, NULL, grid);
  clVectorDestroy(linear);
  clVectorDestroy(grid);
  return status;
}

static clStatus multiply(const char *call, clVector *y, float ca, const clMatrix *A,
                         bool transposed, const clVector *x, float cb, const clVector *b) {
  bool grid = A->col_layout.grid;
  if (transposed)
    return (grid ? backwardToGrid : backward)(call, y, ca, A, x, cb, b);
  return (grid ? forwardFromGrid : forward)(call, y, ca, A, x, cb, b);
}

static clStatus diagonal(const char *call, clVector *d, const clMatrix *A) {
  txPass pass = {.kernel = "columns_diagonal", .work = 4};
  txColumnsMatrix(&pass, A);
  return txVectorRun(call, &pass, d);
}

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

/* The same with several vectors: partial sums in images of single vectors, four rows to a texel,
 * where an entry of A is fetched once for eight vectors; then a pass that joins and interleaves
 * them. */
enum { MULTI_FRAGMENTS = 8192, MULTI_SHORTEST = 16, MULTI_PARTS = 64 };

static clStatus sumSeveral(const char *call, const txMultiProduct *product, int span,
                           txTexture *const *sums) {
  const clMatrix *A = product->A;
  const txDense *dense = A->data;
  char defines[64];
  snprintf(defines, sizeof defines, "#define GROUPS %d\n%s", product->groups,
           dense->across ? "#define ACROSS\n" : "");
  txPass pass = {
      .kernel = "multivector_columns",
      .defines = defines,
      .source = {{"A", dense->texture, TX_EDGE}, {"x0", product->x[0]->texture, TX_EDGE}},
      .work = (1 + product->groups) * (int64_t)span};
  if (product->groups > 1)
    pass.source[2] = (txSource){"x1", product->x[1]->texture, TX_EDGE};
  if (dense->across)
    txPassIntegers(&pass, "across", 1, dense->across, 0);
  txPassIntegers(&pass, "image", 2, A->row_layout.width, A->row_layout.height);
  txPassIntegers(&pass, "x_row", 1, (int)product->x[0]->layout.row, 0);
  txPassIntegers(&pass, "x_count", 1, A->cols, 0);
  txPassIntegers(&pass, "span", 1, span, 0);
  for (int k = 0; k < TX_MULTIVECTOR * product->groups; k++)
    pass.target[k] = sums[k];
  return txPassRun(A->context, call, &pass);
}

static clStatus joinSeveral(const char *call, const txMultiProduct *product, int parts,
                            txTexture *const *sums) {
  static const char *const name[TX_MULTIVECTOR] = {"s0", "s1", "s2", "s3"};
  const txLayout *image = &product->A->row_layout;
  clStatus status = TEXLA_OK;
  for (int g = 0; g < product->groups && !status; g++) {
    char defines[64] = "";
    txMultiProduct one = {product->A, 1,           &product->y[g], &product->x[g],
                          NULL,       product->ca, product->cb};
    if (product->b)
      one.b = &product->b[g];
    txPass pass = {
        .kernel = "multivector_parts",
        .uniform = {{"span", 1, {(float)product->y[g]->layout.width / (4 * (float)image->width)}},
                    {"step", 1, {1 / (float)parts}}},
        .work = TX_MULTIVECTOR * (int64_t)parts};
    txPassIntegers(&pass, "parts", 1, parts, 0);
    for (int k = 0; k < TX_MULTIVECTOR; k++)
      pass.source[k] = (txSource){name[k], sums[TX_MULTIVECTOR * g + k], TX_EDGE};
    status = txMultivectorRun(call, &pass, defines, sizeof defines, &one);
  }
  return status;
}

static clStatus multiplySeveral(const char *call, const txMultiProduct *product) {
  const clMatrix *A = product->A;
  const txLayout *image = &A->row_layout;
  txTexture *sums[TX_MULTIVECTOR * TX_GROUPS] = {0};
  int64_t wanted = ceilDiv(MULTI_FRAGMENTS, (int64_t)image->width * image->height),
          count = ceilDiv(A->cols, MULTI_SHORTEST);
  int64_t most =
      txLeast64(MULTI_PARTS, clContextInspect(A->context)->max_texture_size / image->height);
  int span = ceilDiv(A->cols, txLeast64(txLeast64(wanted, count), most)),
      parts = ceilDiv(A->cols, span);
  clStatus status = TEXLA_OK;
  for (int k = 0; k < TX_MULTIVECTOR * product->groups && !status; k++)
    status = txTextureCreate(&sums[k], A->context, call, TX_RGBA32F, image->width,
                             image->height * parts);
  if (!status)
    status = sumSeveral(call, product, span, sums);
  if (!status)
    status = joinSeveral(call, product, parts, sums);
  for (int k = 0; k < TX_MULTIVECTOR * TX_GROUPS; k++)
    txTextureDestroy(sums[k]);
  return status;
}

static double cost(const txLook *look) {
  const clTriplets *T = look->rows->A;
  int64_t limit = clContextInspect(look->context)->max_texture_size;
  double area = (double)T->rows * T->cols;
  return T->rows <= 4 * limit && T->cols <= limit && txLookFits(look, 4 * area)
             ? TX_COST_PASS + area
             : INFINITY;
}

static void reason(const txLook *look, char *why, size_t n) {
  const clTriplets *T = look->rows->A;
  double entries = (double)T->count, area = (double)T->rows * T->cols;
  snprintf(why, n, "%.0f %% full%s", txPercent(entries, area),
           entries < area / 4 ? ", but small" : "");
}

const txStorage txDenseStorage = {
    create, destroy, NULL, multiply, multiplySeveral, txColumnsResidual, diagonal, cost, reason};
