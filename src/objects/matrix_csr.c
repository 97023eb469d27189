/* The storage csr: compressed rows in textures. */
#include "objects/matrix_csr.h"

#include <stdlib.h>

static clStatus createEntries(txCsr *csr, const clMatrix *A, const char *call, const clTriplets *T) {
  size_t n = (size_t)T->count + 1;
  float *value = malloc(n * sizeof *value);
  int32_t *column = malloc(n * sizeof *column);
  clStatus status = TEXLA_OK;
  if (!value || !column)
    status = txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %lld entries",
                    (long long)T->count);
  for (int64_t k = 0; k < T->count && !status; k++) {
    value[k] = (float)T->value[k];
    column[k] = txGatherPosition(&csr->gather, &A->col_layout, T->col[k]);
  }
  if (!status)
    status = txTableCreate(&csr->value, A->context, call, TX_R32F, value, T->count);
  if (!status)
    status = txTableCreate(&csr->column, A->context, call, TX_R32I, column, T->count);
  free(value);
  free(column);
  return status;
}

/* Appends a level of `count` ranges. */
static clStatus createLevel(txCsr *csr, const clMatrix *A, const char *call, const int64_t *start, int64_t count) {
  int32_t *items = malloc(((size_t)count + 1) * sizeof *items);
  if (!items)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %lld rows", (long long)count);
  for (int64_t i = 0; i <= count; i++)
    items[i] = (int32_t)start[i];
  csr->level[csr->levels].count = count;
  clStatus status = txTableCreate(&csr->level[csr->levels].start, A->context, call, TX_R32I, items, count + 1);
  csr->levels++;
  free(items);
  return status;
}

static int64_t chunksOf(int64_t length) {
  return (length + TX_CSR_CHUNK - 1) / TX_CSR_CHUNK;
}

/* One level of chunks; start then says where each row's chunks begin. */
static clStatus cutRows(txCsr *csr, const clMatrix *A, const char *call, int64_t *start) {
  int64_t count = 0;
  for (int32_t i = 0; i < A->rows; i++)
    count += chunksOf(start[i + 1] - start[i]);
  int64_t *chunk = malloc(((size_t)count + 1) * sizeof *chunk), next = 0;
  if (!chunk)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %lld chunks", (long long)count);
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

static int64_t longestRow(const int64_t *start, int32_t rows) {
  int64_t longest = 0;
  for (int32_t i = 0; i < rows; i++)
    if (start[i + 1] - start[i] > longest)
      longest = start[i + 1] - start[i];
  return longest;
}

static clStatus createRows(txCsr *csr, clMatrix *A, const char *call, const txRows *rows) {
  int64_t *start = txRowStarts(A, call, rows);
  if (!start)
    return TEXLA_OUT_OF_MEMORY;
  int64_t longest = longestRow(start, A->rows);
  txMatrixDescribe(A, ", %d x %d, %lld entries, longest row %lld", A->rows, A->cols, (long long)A->count,
                   (long long)longest);
  clStatus status = TEXLA_OK;
  for (; longest > TX_CSR_CHUNK && !status; longest = chunksOf(longest))
    status = cutRows(csr, A, call, start);
  if (!status)
    status = createLevel(csr, A, call, start, A->rows);
  free(start);
  return status;
}

static clStatus create(clMatrix *A, const char *call, const txRows *rows, const clMatrixOptions *options) {
  (void)options;
  txCsr *csr = A->data = calloc(1, sizeof *csr);
  if (!csr)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory for a clMatrix");
  const clTriplets *T = rows->A;
  if (T->count >= INT32_MAX)
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call, "csr holds up to %d entries, not %lld",
                  INT32_MAX - 1, (long long)T->count);
  clStatus status = txGatherCreate(&csr->gather, A, call, rows);
  if (!status)
    status = createEntries(csr, A, call, T);
  return status ? status : createRows(csr, A, call, rows);
}

static void destroy(clMatrix *A) {
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

const txStorageLife txCsrLife = {create, destroy};
