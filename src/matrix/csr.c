/* The storage csr: compressed rows in textures. */
#include "matrix/csr.h"
#include "core/allocate.h"
#include "matrix/multivector.h"
#include "matrix/residual.h"
#include "vector/unpack.h"

#include <stdio.h>
#include <stdlib.h>

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

static clStatus createColumns(txCsr *csr, const clMatrix *A, const char *call,
                              const clTriplets *T) {
  int32_t *column =
      txAllocate(txContextError(A->context), call, (size_t)T->count + 1, sizeof *column, "entries");
  if (!column)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < T->count; k++)
    column[k] = txGatherPosition(&csr->gather, &A->col_layout, T->col[k]);
  clStatus status = txTableCreate(&csr->column, A->context, call, TX_R32I, column, T->count);
  if (!status)
    csr->column.texture->meaning = (txMeaning){
        "positions", {T->count, csr->column.shift, csr->gather.shift, A->col_layout.row}};
  free(column);
  return status;
}

static clStatus createEntries(txCsr *csr, const clMatrix *A, const char *call,
                              const clTriplets *T) {
  clStatus status = txTableCreate(&csr->value, A->context, call, TX_R32F, NULL, T->count);
  if (!status)
    csr->value.texture->meaning = (txMeaning){"values", {T->count, csr->value.shift}};
  if (!status)
    status = writeValues(csr, A, call, T);
  return status ? status : createColumns(csr, A, call, T);
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
  csr->level[csr->levels].count = count;
  txTable *table = &csr->level[csr->levels].start;
  clStatus status = txTableCreate(table, A->context, call, TX_R32I, items, count + 1);
  if (!status)
    table->texture->meaning =
        (txMeaning){"ranges", {count + 1, table->shift, !csr->levels && count == A->rows}};
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
  txMatrixDescribe(A, ", %d x %d, %lld entries, longest row %lld", A->rows, A->cols,
                   (long long)A->count, (long long)longest);
  clStatus status = TEXLA_OK;
  for (; longest > TX_CSR_CHUNK && !status; longest = chunksOf(longest))
    status = cutRows(csr, A, call, start);
  if (!status)
    status = createLevel(csr, A, call, start, A->rows);
  free(start);
  return status;
}

static clStatus create(clMatrix *A, const char *call, const txRows *rows,
                       const clMatrixOptions *options) {
  (void)options;
  txCsr *csr = A->data = txAllocate(txContextError(A->context), call, 1, sizeof *csr, "a clMatrix");
  if (!csr)
    return TEXLA_OUT_OF_MEMORY;
  const clTriplets *T = rows->A;
  if (T->count >= INT32_MAX)
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                  "csr holds up to %d entries, not %lld", INT32_MAX - 1, (long long)T->count);
  clStatus status = txGatherCreate(&csr->gather, A, call, rows);
  if (!status)
    status = createEntries(csr, A, call, T);
  return status ? status : createRows(csr, A, call, rows);
}

static clStatus update(clMatrix *A, const char *call, const txRows *rows) {
  txCsr *csr = A->data;
  clStatus status = txGatherUpdate(&csr->gather, A, call, rows);
  return status ? status : writeValues(csr, A, call, rows->A);
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

/* The product of the storage csr: level after level of sums over ranges
 * (shaders/matrix/csr.frag). */

void txCsrItems(txPass *pass, const txCsr *csr, int l, const txTexture *x, const txTable *sums) {
  pass->source[0] = (txSource){"start", csr->level[l].start.texture, TX_EDGE};
  txPassIntegers(pass, "start_shift", 1, csr->level[l].start.shift, 0);
  txPassIntegers(pass, "item_shift", 1, l ? sums->shift : csr->value.shift, 0);
  if (l) {
    pass->source[1] = (txSource){"items", sums->texture, TX_EDGE};
    return;
  }
  pass->source[1] = (txSource){"value", csr->value.texture, TX_EDGE};
  pass->source[2] = (txSource){"column", csr->column.texture, TX_EDGE};
  pass->source[3] = (txSource){"x", x, TX_EDGE};
  txPassIntegers(pass, "x_shift", 1, csr->gather.shift, 0);
}

/* *sums <- the sums of level l, in place of those of the level before. */
static clStatus sumChunks(clContext *context, const char *call, const txCsr *csr, int l,
                          const txTexture *x, txTable *sums) {
  int64_t count = csr->level[l].count;
  txTable next = {0};
  clStatus status = txTableCreate(&next, context, call, TX_R32F, NULL, count);
  txPass pass = {
      .kernel = "csr",
      .target = {next.texture},
      .defines = l ? NULL : "#define PRODUCTS\n",
      .uniform = {{"end",
                   2,
                   {(float)(count & ((1 << next.shift) - 1)), (float)(count >> next.shift)},
                   NULL,
                   true}},
      .work = TX_CSR_CHUNK};
  txCsrItems(&pass, csr, l, x, sums);
  txPassIntegers(&pass, "sum_shift", 1, next.shift, 0);
  if (!status)
    status = txPassRun(context, call, &pass);
  txTextureDestroy(sums->texture);
  *sums = next;
  return status;
}

static clStatus multiplyUnpacked(const char *call, clVector *y, float ca, const txCsr *csr,
                                 const txTexture *x, float cb, const clVector *b) {
  txTable sums = {0};
  clStatus status = TEXLA_OK;
  int last = csr->levels - 1;
  for (int l = 0; l < last && !status; l++)
    status = sumChunks(y->context, call, csr, l, x, &sums);
  if (!status) {
    char defines[128];
    snprintf(defines, sizeof defines, "#define ROWS\n%s", last ? "" : "#define PRODUCTS\n");
    txPass pass = {.kernel = "csr", .work = 4 * TX_CSR_CHUNK};
    txCsrItems(&pass, csr, last, x, &sums);
    txCombine(&pass, defines, sizeof defines, ca, cb, b);
    status = txVectorRun(call, &pass, y);
  }
  txTextureDestroy(sums.texture);
  return status;
}

static clStatus multiply(const char *call, clVector *y, float ca, const clMatrix *A,
                         bool transposed, const clVector *x, float cb, const clVector *b) {
  txTexture *unpacked = NULL;
  clStatus status = transposed ? txTransposed(call, A, &A) : TEXLA_OK;
  if (!status)
    status = txUnpack(&unpacked, call, x);
  if (!status)
    status = multiplyUnpacked(call, y, ca, A->data, unpacked, cb, b);
  txTextureDestroy(unpacked);
  return status;
}

/* The same with several vectors: a multivector already is one row to a texel, where the elements of
 * four vectors are found with one fetch. */

/* csr: level l of the sums. x are the multivectors, or the sums of the level before. */
static void setMultiLevel(txPass *pass, const txCsr *csr, int l, int x_shift) {
  pass->source[0] = (txSource){"start", csr->level[l].start.texture, TX_EDGE};
  txPassIntegers(pass, "start_shift", 1, csr->level[l].start.shift, 0);
  txPassIntegers(pass, "x_shift", 1, x_shift, 0);
  if (l)
    return;
  pass->source[1] = (txSource){"value", csr->value.texture, TX_EDGE};
  pass->source[2] = (txSource){"column", csr->column.texture, TX_EDGE};
  txPassIntegers(pass, "item_shift", 1, csr->value.shift, 0);
}

static const char *levelText(int l) {
  return l ? "" : "#define PRODUCTS\n";
}

/* The sums of a level that is not the last, in multivectors of their own. */
static clStatus sumParts(const char *call, const txCsr *csr, int l, const txMultiProduct *p,
                         int x_shift, txTable *sums) {
  clContext *context = p->A->context;
  int64_t count = csr->level[l].count;
  clVector part[TX_GROUPS] = {{.context = context}, {.context = context}},
           *y[TX_GROUPS] = {&part[0], &part[1]};
  txMultiProduct inner = {p->A, p->groups, y, p->x, NULL, 1, 0};
  clStatus status = TEXLA_OK;
  char defines[128];
  for (int g = 0; g < p->groups && !status; g++) {
    status = txTableCreate(&sums[g], context, call, TX_RGBA32F, NULL, count);
    part[g].texture = sums[g].texture;
    part[g].layout = p->y[g]->layout;
  }
  if (status)
    return status;
  int mask = (1 << sums->shift) - 1;
  txPass pass = {.kernel = "multivector_csr", .work = TX_CSR_CHUNK * (int64_t)p->groups};
  snprintf(defines, sizeof defines, "#define PARTIAL\n%s", levelText(l));
  setMultiLevel(&pass, csr, l, x_shift);
  txPassIntegers(&pass, "sum_shift", 1, sums->shift, 0);
  txPassUniform(
      &pass,
      (txUniform){"end", 2, {(float)(count & mask), (float)(count >> sums->shift)}, NULL, true});
  return txMultivectorDraw(call, &pass, defines, sizeof defines, &inner);
}

clStatus txCsrMultiplySeveral(const char *call, const txCsr *csr, const txMultiProduct *product) {
  clVector item[TX_GROUPS], *items[TX_GROUPS] = {&item[0], &item[1]};
  txTable sums[TX_GROUPS] = {{0}}, next[TX_GROUPS] = {{0}};
  txMultiProduct p = *product;
  clStatus status = TEXLA_OK;
  int last = csr->levels - 1, shift = csr->gather.shift;
  for (int l = 0; l < last && !status; l++) {
    status = sumParts(call, csr, l, &p, shift, next);
    for (int g = 0; g < p.groups; g++) {
      txTextureDestroy(sums[g].texture);
      sums[g] = next[g];
      next[g] = (txTable){0};
      item[g] = (clVector){p.A->context, p.x[g]->layout, sums[g].texture};
    }
    p.x = items;
    shift = sums->shift;
  }
  if (!status) {
    char defines[128];
    txPass pass = {.kernel = "multivector_csr", .work = TX_CSR_CHUNK * (int64_t)p.groups};
    snprintf(defines, sizeof defines, "%s", levelText(last));
    setMultiLevel(&pass, csr, last, shift);
    status = txMultivectorRun(call, &pass, defines, sizeof defines, &p);
  }
  for (int g = 0; g < p.groups; g++)
    txTextureDestroy(sums[g].texture);
  return status;
}

static clStatus multiplySeveral(const char *call, const txMultiProduct *product) {
  return txCsrMultiplySeveral(call, product->A->data, product);
}

static double cost(const txLook *look) {
  return 2. * TX_COST_PASS + TX_COST_CSR * (double)look->rows->A->count;
}

static void reason(const txLook *look, char *why, size_t n) {
  const clTriplets *T = look->rows->A;
  snprintf(why, n, "few long rows of up to %lld entries, %.1f on average", (long long)look->longest,
           (double)T->count / T->rows);
}

const txStorage txCsrStorage = {create,        destroy,          update, multiply, multiplySeveral,
                                txCsrResidual, txGatherDiagonal, cost,   reason};
