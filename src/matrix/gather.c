#include "matrix/gather.h"
#include "core/allocate.h"
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int64_t txUnpackedWidth(const txLayout *layout) {
  int64_t width = 4 * (int64_t)layout->width;
  return width < layout->row ? width : layout->row;
}

static clStatus checkPositions(txGather *g, const clMatrix *A, const char *call) {
  const txLayout *x = &A->col_layout;
  int64_t width = txUnpackedWidth(x), limit = clContextInspect(A->context)->max_texture_size;
  g->shift = 0;
  while ((int64_t)1 << g->shift < width)
    g->shift++;
  int64_t positions = (int64_t)x->height << g->shift;
  if (width > limit || positions > INT32_MAX)
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                  "%s reads x one element to a texel: %d columns need a texture of %lld x %d, but "
                  "the device's limit is "
                  "%lld x %lld",
                  clStorageName(A->storage), A->cols, (long long)width, x->height, (long long)limit,
                  (long long)limit);
  g->positions = (int32_t)positions;
  return TEXLA_OK;
}

static void findDiagonal(float *values, const txRows *rows) {
  const clTriplets *T = rows->A;
  for (txRun run = txRunAt(rows, 0, T->rows); run.row < T->rows;
       run = txRunNext(rows, &run, T->rows))
    for (int64_t e = run.entry; e < run.entry + run.length; e++)
      for (int64_t i = 0; i < run.count && T->col[e] == run.row; i++)
        values[run.row + i] = (float)T->value[e + i * run.length];
}

clStatus txGatherUpdate(txGather *g, const clMatrix *A, const char *call, const txRows *rows) {
  if (!g->diagonal)
    return TEXLA_OK;
  float *values =
      txAllocate(txContextError(A->context), call, (size_t)A->rows, sizeof *values, "the diagonal");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  findDiagonal(values, rows);
  clStatus status = txLayoutWrite(g->diagonal, call, &A->row_layout, values);
  free(values);
  return status;
}

static clStatus keepDiagonal(txGather *g, const clMatrix *A, const char *call, const txRows *rows) {
  clStatus status = txLayoutTexture(&g->diagonal, A->context, call, &A->row_layout);
  if (!status)
    status = txTextureClear(g->diagonal, call);
  return status ? status : txGatherUpdate(g, A, call, rows);
}

static clStatus keepEntries(clMatrix *A, const clTriplets *T) {
  clStatus status =
      clTripletsCreate(&A->host, T->rows, T->cols, T->count, txContextError(A->context));
  if (status)
    return status;
  size_t n = (size_t)T->count;
  if (n) {
    memcpy(A->host->row, T->row, n * sizeof *T->row);
    memcpy(A->host->col, T->col, n * sizeof *T->col);
    memcpy(A->host->value, T->value, n * sizeof *T->value);
  }
  A->host->count = T->count;
  return TEXLA_OK;
}

clStatus txGatherCreate(txGather *g, clMatrix *A, const char *call, const txRows *rows) {
  clStatus status = checkPositions(g, A, call);
  if (!status && A->rows == A->cols)
    status = keepDiagonal(g, A, call, rows);
  return status || !A->transposable ? status : keepEntries(A, rows->A);
}

void txGatherDestroy(txGather *g) {
  txTextureDestroy(g->diagonal);
}

int64_t *txRowStarts(const clMatrix *A, const char *call, const txRows *rows) {
  int64_t *start = txAllocate(txContextError(A->context), call, (size_t)A->rows + 1, sizeof *start,
                              "sorting by rows");
  if (!start)
    return NULL;
  for (txRun run = txRunAt(rows, 0, A->rows); run.row < A->rows;
       run = txRunNext(rows, &run, A->rows))
    for (int64_t i = 0; i < run.count; i++)
      start[run.row + i] = run.entry + i * run.length;
  start[A->rows] = A->count;
  return start;
}

clStatus txTableWrite(const txTable *table, const char *call, txFormat format, const void *items,
                      int64_t count) {
  int64_t whole = count >> table->shift, rest = count - (whole << table->shift);
  const char *bytes = items;
  clStatus status = TEXLA_OK;
  if (whole)
    status =
        txTextureWrite(table->texture, call, (txRect){0, 0, 1 << table->shift, (int)whole}, bytes);
  if (!status && rest)
    status = txTextureWrite(table->texture, call, (txRect){0, (int)whole, (int)rest, 1},
                            bytes + (size_t)(whole << table->shift) * txFormatBytes(format));
  return status;
}

clStatus txTableCreate(txTable *out, clContext *context, const char *call, txFormat format,
                       const void *items, int64_t count) {
  int64_t limit = clContextInspect(context)->max_texture_size;
  int shift = 0;
  while (shift < 30 && (int64_t)1 << shift < count && (shift < 12 || limit << shift < count))
    shift++;
  int64_t width = (int64_t)1 << shift, height = count ? (count + width - 1) >> shift : 1;
  if (width > limit || height > limit)
    return txFail(txContextError(context), TEXLA_TOO_LARGE, call,
                  "%lld entries do not fit into one texture; the device's limit is %lld x %lld",
                  (long long)count, (long long)limit, (long long)limit);
  clStatus status = txTextureCreate(&out->texture, context, call, format, (int)width, (int)height);
  out->shift = shift;
  if (!status && items)
    status = txTableWrite(out, call, format, items, count);
  if (status) {
    txTextureDestroy(out->texture);
    out->texture = NULL;
  }
  return status;
}

clMatrixOptions txMatrixLike(const clMatrix *A, clStorage storage) {
  const txLayout *layout = &A->row_layout;
  clMatrixOptions options = {.storage = storage, .linear = !layout->grid};
  if (layout->grid) {
    options.grid_nx = (int)layout->row;
    options.grid_ny = (int)(layout->length / layout->row);
  }
  return options;
}

void txMatrixForget(clMatrix *A) {
  clTripletsDestroy(A->host);
  A->host = NULL;
}

static bool sameEntries(const clTriplets *A, const clTriplets *B) {
  size_t n = (size_t)A->count;
  return A->rows == B->rows && A->cols == B->cols &&
         (n == 0 || (!memcmp(A->row, B->row, n * sizeof *A->row) &&
                     !memcmp(A->col, B->col, n * sizeof *A->col) &&
                     !memcmp(A->value, B->value, n * sizeof *A->value)));
}

static clStatus buildTransposed(clMatrix *A) {
  clTriplets *T = NULL;
  clStatus status = clTripletsTranspose(&T, A->host, txContextError(A->context));
  if (status)
    return status;
  if (sameEntries(T, A->host)) {
    A->transpose = A;
  } else {
    clMatrixOptions options = txMatrixLike(A, A->storage);
    status = clMatrixCreate(&A->transpose, A->context, T, &options);
    if (!status)
      txMatrixForget(A->transpose);
  }
  if (!status)
    txMatrixForget(A);
  clTripletsDestroy(T);
  return status;
}

clStatus txTransposed(const char *call, const clMatrix *A, const clMatrix **out) {
  clStatus status = txContextEnter(A->context, call);
  if (!status && !A->transpose)
    status = buildTransposed((clMatrix *)A);
  if (!status)
    *out = A->transpose;
  return status;
}

clStatus txGatherDiagonal(const char *call, clVector *d, const clMatrix *A) {
  const txGather *g = A->data;
  txPass pass = {.kernel = "copy", .source = {{"x", g->diagonal, TX_EDGE}}};
  return txVectorRun(call, &pass, d);
}

void txCombine(txPass *pass, char *defines, size_t n, float ca, float cb, const clVector *b) {
  txPassUniform(pass, (txUniform){"combine_factor", 2, {ca, cb}, NULL, false});
  size_t used = strlen(defines);
  if (b) {
    snprintf(defines + used, n - used, "#define COMBINE_B\n");
    txPassSource(pass, "combine_b", b->texture, TX_EDGE);
  }
  pass->defines = defines;
}
