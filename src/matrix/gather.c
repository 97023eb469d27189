#include "matrix/gather.h"
#include "core/try.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int64_t txUnpackedWidth(const txLayout *layout) {
  int64_t width = 4 * (int64_t)layout->width;
  return txLeast64(width, layout->row);
}

/* Positions are numbered row by row in a texture whose width is rounded up to a power of two. */
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

/* The diagonal is gathered on the host: it is asked for often and found slowly by the device. */
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

/* A texture in the layout of a vector, with zeros where A has no entry. */
static clStatus keepDiagonal(txGather *g, const clMatrix *A, const char *call, const txRows *rows) {
  TRY(txLayoutTexture(&g->diagonal, A->context, call, &A->row_layout));
  TRY(txTextureClear(g->diagonal, call));
  return txGatherUpdate(g, A, call, rows);
}

/* A copy of the entries, from which the transposed matrix may have to be built. */
static clStatus keepEntries(clMatrix *A, const clTriplets *T) {
  TRY(clTripletsCreate(&A->host, T->rows, T->cols, T->count, txContextError(A->context)));
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
  TRY(checkPositions(g, A, call));
  if (A->rows == A->cols)
    TRY(keepDiagonal(g, A, call, rows));
  if (!A->transposable)
    return TEXLA_OK;
  return keepEntries(A, rows->A);
}

void txGatherDestroy(txGather *g) {
  txTextureDestroy(g->diagonal);
}

/* Runs of rows have all the same length. */
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

/* Whole rows of the texture, and a part of the last one. */
clStatus txTableWrite(const txTable *table, const char *call, txFormat format, const void *items,
                      int64_t count) {
  int64_t whole = count >> table->shift, rest = count - (whole << table->shift);
  const char *bytes = items;
  if (whole)
    TRY(txTextureWrite(table->texture, call, (txRect){0, 0, 1 << table->shift, (int)whole}, bytes));
  if (rest)
    TRY(txTextureWrite(table->texture, call, (txRect){0, (int)whole, (int)rest, 1},
                       bytes + (size_t)(whole << table->shift) * txFormatBytes(format)));
  return TEXLA_OK;
}

/* As narrow as the height allows, from 4096 items on: short tables are one row. */
clStatus txTableCreate(txTable *out, clContext *context, const char *call, txFormat format,
                       const void *items, int64_t count) {
  int64_t limit = clContextInspect(context)->max_texture_size;
  int shift = 0;
  while (shift < 30 && (int64_t)1 << shift < count && (shift < 12 || limit << shift < count))
    shift++;
  int64_t width = (int64_t)1 << shift, height = txMost64(1, (count + width - 1) >> shift);
  if (width > limit || height > limit)
    return txFail(txContextError(context), TEXLA_TOO_LARGE, call,
                  "%lld entries do not fit into one texture; the device's limit is %lld x %lld",
                  (long long)count, (long long)limit, (long long)limit);
  txTable table = {.shift = shift};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(&table.texture, context, call, format, (int)width, (int)height));
  if (items)
    TRY_CLEANUP(txTableWrite(&table, call, format, items, count));
  *out = table;
  return TEXLA_OK;
cleanup:
  txTextureDestroy(table.texture);
  return status;
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

/* A symmetric matrix is its own transpose. */
static clStatus buildTransposed(clMatrix *A) {
  clTriplets *T = NULL;
  TRY(clTripletsTranspose(&T, A->host, txContextError(A->context)));
  clStatus status = TEXLA_OK;
  if (sameEntries(T, A->host))
    A->transpose = A;
  else
    TRY_CLEANUP(txMatrixCreateBeside(&A->transpose, A, T, A->storage, A->operations));
  txMatrixForget(A);
cleanup:
  clTripletsDestroy(T);
  return status;
}

clStatus txTransposed(const char *call, const clMatrix *A, const clMatrix **out) {
  TRY(txContextEnter(A->context, call));
  if (!A->transpose)
    TRY(buildTransposed((clMatrix *)A));
  *out = A->transpose;
  return TEXLA_OK;
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
