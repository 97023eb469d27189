/* The product of the storage csr: level after level of sums over ranges
 * (shaders/matrix/csr.frag). */
#include "matrix/csr.h"
#include "core/try.h"
#include "gl/traits.h"
#include "matrix/multivector.h"
#include "vector/unpack.h"

#include <stdio.h>

void txCsrItems(txPass *pass, const txCsr *csr, int l, const txTexture *x, const txTable *sums) {
  pass->source[0] = (txSource){"start", csr->level[l].start.texture, TX_EDGE};
  txPassIntegers(pass, "start_shift", 1, csr->level[l].start.shift, 0);
  if (l) {
    pass->source[1] = (txSource){"items", sums->texture, TX_EDGE};
    txPassIntegers(pass, "item_shift", 1, sums->shift, 0);
    return;
  }
  txPassIntegers(pass, "item_shift", 1, csr->value.shift, 0);
  pass->source[1] = (txSource){"value", csr->value.texture, TX_EDGE};
  pass->source[2] = (txSource){"column", csr->column.texture, TX_EDGE};
  pass->source[3] = (txSource){"x", x, TX_EDGE};
  txPassIntegers(pass, "x_shift", 1, csr->gather.shift, 0);
}

/* *sums <- the sums of level l, in place of those of the level before. */
static clStatus sumChunks(clContext *context, const char *call, const txCsr *csr, int l,
                          const txTexture *x, bool pairs, txTable *sums) {
  int64_t count = csr->level[l].count;
  char text[256];
  txTable next = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTableCreate(&next, context, call, pairs ? TX_RG32F : TX_R32F, NULL, count));
  snprintf(text, sizeof text, "%s%s", pairs ? txDoubleFloatDefine(context) : "",
           txWhen(!l, "#define PRODUCTS\n"));
  txPass pass = {
      .kernel = pairs ? "csr_residual" : "csr",
      .target = {next.texture},
      .defines = text,
      .uniform = {{"end",
                   2,
                   {(float)(count & ((1 << next.shift) - 1)), (float)(count >> next.shift)},
                   NULL,
                   true}},
      .work = TX_CSR_CHUNK};
  txCsrItems(&pass, csr, l, x, sums);
  txPassIntegers(&pass, "sum_shift", 1, next.shift, 0);
  TRY_CLEANUP(txPassRun(context, call, &pass));
cleanup:
  txTextureDestroy(sums->texture);
  *sums = next;
  return status;
}

clStatus txCsrSums(txTable *sums, clContext *context, const char *call, const txCsr *csr,
                   const txTexture *x, bool pairs) {
  for (int l = 0; l < csr->levels - 1; l++)
    TRY(sumChunks(context, call, csr, l, x, pairs, sums));
  return TEXLA_OK;
}

/* The levels of chunks first, then the rows, which also add cb b. */
static clStatus multiplyUnpacked(const char *call, clVector *y, float ca, const txCsr *csr,
                                 const txTexture *x, float cb, const clVector *b) {
  txTable sums = {0};
  clStatus status = TEXLA_OK;
  int last = csr->levels - 1;
  TRY_CLEANUP(txCsrSums(&sums, y->context, call, csr, x, false));
  char defines[128];
  snprintf(defines, sizeof defines, "#define ROWS\n%s", txWhen(!last, "#define PRODUCTS\n"));
  txPass pass = {.kernel = "csr", .work = 4 * TX_CSR_CHUNK};
  txCsrItems(&pass, csr, last, x, &sums);
  txCombine(&pass, defines, sizeof defines, ca, cb, b);
  TRY_CLEANUP(txVectorRun(call, &pass, y));
cleanup:
  txTextureDestroy(sums.texture);
  return status;
}

/* x is read one element to a texel. */
clStatus txCsrMultiply(const char *call, clVector *y, float ca, const clMatrix *A, bool transposed,
                       const clVector *x, float cb, const clVector *b) {
  txTexture *unpacked = NULL;
  clStatus status = TEXLA_OK;
  if (transposed)
    TRY_CLEANUP(txTransposed(call, A, &A));
  TRY_CLEANUP(txUnpack(&unpacked, call, x));
  TRY_CLEANUP(multiplyUnpacked(call, y, ca, A->data, unpacked, cb, b));
cleanup:
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
  return txWhen(!l, "#define PRODUCTS\n");
}

/* The sums of a level that is not the last, in multivectors of their own. */
static clStatus csrProductSumParts(const char *call, const txCsr *csr, int l,
                                   const txMultiProduct *p, int x_shift, txTable *sums) {
  clContext *context = p->A->context;
  int64_t count = csr->level[l].count;
  clVector part[TX_GROUPS] = {{.context = context}, {.context = context}},
           *y[TX_GROUPS] = {&part[0], &part[1]};
  txMultiProduct inner = {p->A, p->groups, y, p->x, NULL, 1, 0};
  char defines[128];
  for (int g = 0; g < p->groups; g++) {
    TRY(txTableCreate(&sums[g], context, call, TX_RGBA32F, NULL, count));
    part[g].texture = sums[g].texture;
    part[g].layout = p->y[g]->layout;
  }
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

/* The levels of chunks have multivectors as results, which take the place of x for the next
 * level. */
clStatus txCsrMultiplySeveral(const char *call, const txCsr *csr, const txMultiProduct *product) {
  clVector item[TX_GROUPS], *items[TX_GROUPS] = {&item[0], &item[1]};
  txTable sums[TX_GROUPS] = {{0}}, next[TX_GROUPS] = {{0}};
  txMultiProduct p = *product;
  clStatus status = TEXLA_OK;
  int last = csr->levels - 1, shift = csr->gather.shift;
  for (int l = 0; l < last; l++) {
    TRY_CLEANUP(csrProductSumParts(call, csr, l, &p, shift, next));
    for (int g = 0; g < p.groups; g++) {
      txTextureDestroy(sums[g].texture);
      sums[g] = next[g];
      next[g] = (txTable){0};
      item[g] = (clVector){p.A->context, p.x[g]->layout, sums[g].texture};
    }
    p.x = items;
    shift = sums->shift;
  }
  char defines[128];
  txPass pass = {.kernel = "multivector_csr", .work = TX_CSR_CHUNK * (int64_t)p.groups};
  snprintf(defines, sizeof defines, "%s", levelText(last));
  setMultiLevel(&pass, csr, last, shift);
  TRY_CLEANUP(txMultivectorRun(call, &pass, defines, sizeof defines, &p));
cleanup:
  for (int g = 0; g < p.groups; g++) {
    txTextureDestroy(sums[g].texture);
    txTextureDestroy(next[g].texture);
  }
  return status;
}
