/* The storage csr: compressed rows in textures. */
#include "matrix/csr.h"
#include "core/try.h"
#include "core/allocate.h"
#include "matrix/multivector.h"
#include "matrix/residual.h"
#include "vector/unpack.h"

#include <stdio.h>
#include <stdlib.h>

/* Values as the device holds them, in the order of the entries. */
static clStatus writeValues(const txCsr *csr, const clMatrix *A, const char *call,
                            const clTriplets *T) {
  float *value =
      txAllocate(txContextError(A->context), call, (size_t)T->count + 1, sizeof *value, "entries");
  if (!value)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < T->count; k++)
    value[k] = (float)T->value[k];
  clStatus status = txTableWrite(&csr->value, call, TX_R32F, value, T->count);
  free(value);
  return status;
}

/* Where each entry finds its element of x, in a texture with one element to a texel. */
static clStatus createColumns(txCsr *csr, const clMatrix *A, const char *call,
                              const clTriplets *T) {
  int32_t *column =
      txAllocate(txContextError(A->context), call, (size_t)T->count + 1, sizeof *column, "entries");
  if (!column)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < T->count; k++)
    column[k] = txGatherPosition(&csr->gather, &A->col_layout, T->col[k]);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTableCreate(&csr->column, A->context, call, TX_R32I, column, T->count));
  csr->column.texture->meaning =
      (txMeaning){"positions", {T->count, csr->column.shift, csr->gather.shift, A->col_layout.row}};
cleanup:
  free(column);
  return status;
}

static clStatus createEntries(txCsr *csr, const clMatrix *A, const char *call,
                              const clTriplets *T) {
  TRY(txTableCreate(&csr->value, A->context, call, TX_R32F, NULL, T->count));
  csr->value.texture->meaning = (txMeaning){"values", {T->count, csr->value.shift}};
  TRY(writeValues(csr, A, call, T));
  return createColumns(csr, A, call, T);
}

/* Appends a level of `count` ranges. */
static clStatus createLevel(txCsr *csr, const clMatrix *A, const char *call, const int64_t *start,
                            int64_t count) {
  int32_t *items =
      txAllocate(txContextError(A->context), call, (size_t)count + 1, sizeof *items, "rows");
  if (!items)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t i = 0; i <= count; i++)
    items[i] = (int32_t)start[i];
  bool rows = !csr->levels && count == A->rows;
  txTable *table = &csr->level[csr->levels].start;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTableCreate(table, A->context, call, TX_R32I, items, count + 1));
  table->texture->meaning = (txMeaning){"ranges", {count + 1, table->shift, rows}};
  csr->level[csr->levels++].count = count;
cleanup:
  free(items);
  return status;
}

/* How many chunks a range of so many items is cut into. */
static int64_t chunksOf(int64_t length) {
  return (length + TX_CSR_CHUNK - 1) / TX_CSR_CHUNK;
}

/* One level of chunks; start then says where each row's chunks begin. */
static clStatus cutRows(txCsr *csr, const clMatrix *A, const char *call, int64_t *start) {
  int64_t count = 0;
  for (int32_t i = 0; i < A->rows; i++)
    count += chunksOf(start[i + 1] - start[i]);
  int64_t *chunk = txAllocate(txContextError(A->context), call, (size_t)count + 1, sizeof *chunk,
                              "chunks"),
          next = 0;
  if (!chunk)
    return TEXLA_OUT_OF_MEMORY;
  int64_t from = 0;
  for (int32_t i = 0; i < A->rows; i++) {
    int64_t to = start[i + 1];
    start[i] = next;
    for (int64_t k = from; k < to; k += TX_CSR_CHUNK)
      chunk[next++] = k;
    from = to;
  }
  chunk[next] = from;
  start[A->rows] = next;
  clStatus status = createLevel(csr, A, call, chunk, count);
  free(chunk);
  return status;
}

/* The length of the longest row. */
static int64_t longestRow(const int64_t *start, int32_t rows) {
  int64_t longest = 0;
  for (int32_t i = 0; i < rows; i++)
    if (start[i + 1] - start[i] > longest)
      longest = start[i + 1] - start[i];
  return longest;
}

/* Levels of chunks until no row is longer than one; the last level has a range for each row. */
static clStatus csrCreateRows(txCsr *csr, clMatrix *A, const char *call, const txRows *rows) {
  int64_t *start = txRowStarts(A, call, rows);
  if (!start)
    return TEXLA_OUT_OF_MEMORY;
  int64_t longest = longestRow(start, A->rows);
  txMatrixDescribe(A, ", %d x %d, %lld entries, longest row %lld", A->rows, A->cols,
                   (long long)A->count, (long long)longest);
  clStatus status = TEXLA_OK;
  for (; longest > TX_CSR_CHUNK; longest = chunksOf(longest))
    TRY_CLEANUP(cutRows(csr, A, call, start));
  TRY_CLEANUP(createLevel(csr, A, call, start, A->rows));
cleanup:
  free(start);
  return status;
}

/* Items are numbered by 32 bits. */
static clStatus csrCreate(clMatrix *A, const char *call, const txRows *rows,
                          const clMatrixOptions *options) {
  (void)options;
  txCsr *csr = A->data = txAllocate(txContextError(A->context), call, 1, sizeof *csr, "a clMatrix");
  if (!csr)
    return TEXLA_OUT_OF_MEMORY;
  const clTriplets *T = rows->A;
  if (T->count >= INT32_MAX)
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                  "csr holds up to %d entries, not %lld", INT32_MAX - 1, (long long)T->count);
  TRY(txGatherCreate(&csr->gather, A, call, rows));
  TRY(createEntries(csr, A, call, T));
  return csrCreateRows(csr, A, call, rows);
}

/* Positions and ranges stay: only values and the diagonal are written. */
static clStatus csrUpdate(clMatrix *A, const char *call, const txRows *rows) {
  txCsr *csr = A->data;
  TRY(txGatherUpdate(&csr->gather, A, call, rows));
  return writeValues(csr, A, call, rows->A);
}

/* Whatever has been made so far. */
static void csrDestroy(clMatrix *A) {
  txCsr *csr = A->data;
  if (!csr)
    return;
  txGatherDestroy(&csr->gather);
  txTextureDestroy(csr->value.texture);
  txTextureDestroy(csr->column.texture);
  for (int l = 0; l < csr->levels; l++)
    txTextureDestroy(csr->level[l].start.texture);
  free(csr);
}

/* The product, as the table wants it. */
static clStatus csrMultiplySeveral(const char *call, const txMultiProduct *product) {
  return txCsrMultiplySeveral(call, product->A->data, product);
}

static double csrCost(const txLook *look) {
  return 2. * TX_COST_PASS + TX_COST_CSR * (double)look->rows->A->count;
}

static void csrReason(const txLook *look, char *why, size_t n) {
  const clTriplets *T = look->rows->A;
  snprintf(why, n, "few long rows of up to %lld entries, %.1f on average", (long long)look->longest,
           (double)T->count / T->rows);
}

const txStorage txCsrStorage = {
    .create = csrCreate,
    .destroy = csrDestroy,
    .update = csrUpdate,
    .multiply = txCsrMultiply,
    .multiplySeveral = csrMultiplySeveral,
    .residual = txCsrResidual,
    .diagonal = txGatherDiagonal,
    .cost = csrCost,
    .reason = csrReason,
};
