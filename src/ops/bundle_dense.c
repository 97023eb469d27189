/* Bundles times a dense matrix: partial sums in images of single vectors, four rows to a texel, where an entry of A is
 * fetched once for eight vectors; then a pass that joins and interleaves them. */
#include "objects/matrix_dense.h"
#include "ops/bundle.h"

#include <stdio.h>

enum { FRAGMENTS = 8192, SHORTEST = 16, PANELS = 64 };

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int ceilDiv(int64_t a, int64_t b) {
  return (int)((a + b - 1) / b);
}

static void setIntegers(txPass *pass, const char *name, int count, int a, int b) {
  txPassUniform(pass, (txUniform){name, count, {(float)a, (float)b}, NULL, true});
}

static clStatus sumPanels(const char *call, const txBundleProduct *product, int span, txTexture *const *sums) {
  const clMatrix *A = product->A;
  const txDense *dense = A->data;
  char defines[64];
  snprintf(defines, sizeof defines, "#define GROUPS %d\n%s", product->groups, dense->across ? "#define ACROSS\n" : "");
  txPass pass = {.kernel = "bundle_columns",
                 .defines = defines,
                 .source = {{"A", dense->texture, TX_EDGE}, {"x0", product->x[0]->texture, TX_EDGE}},
                 .work = (1 + product->groups) * (int64_t)span};
  if (product->groups > 1)
    pass.source[2] = (txSource){"x1", product->x[1]->texture, TX_EDGE};
  if (dense->across)
    setIntegers(&pass, "across", 1, dense->across, 0);
  setIntegers(&pass, "image", 2, A->row_layout.width, A->row_layout.height);
  setIntegers(&pass, "x_row", 1, (int)product->x[0]->layout.row, 0);
  setIntegers(&pass, "x_count", 1, A->cols, 0);
  setIntegers(&pass, "span", 1, span, 0);
  for (int k = 0; k < TX_BUNDLE * product->groups; k++)
    pass.target[k] = sums[k];
  return txPassRun(A->context, call, &pass);
}

static clStatus joinPanels(const char *call, const txBundleProduct *product, int panels, txTexture *const *sums) {
  static const char *const name[TX_BUNDLE] = {"s0", "s1", "s2", "s3"};
  const txLayout *image = &product->A->row_layout;
  clStatus status = TEXLA_OK;
  for (int g = 0; g < product->groups && !status; g++) {
    char defines[64] = "";
    txBundleProduct one = {product->A, 1, &product->y[g], &product->x[g], NULL, product->ca, product->cb};
    if (product->b)
      one.b = &product->b[g];
    txPass pass = {.kernel = "bundle_panels",
                   .uniform = {{"span", 1, {(float)product->y[g]->layout.width / (4 * (float)image->width)}},
                               {"step", 1, {1 / (float)panels}}},
                   .work = TX_BUNDLE * (int64_t)panels};
    setIntegers(&pass, "panels", 1, panels, 0);
    for (int k = 0; k < TX_BUNDLE; k++)
      pass.source[k] = (txSource){name[k], sums[TX_BUNDLE * g + k], TX_EDGE};
    status = txBundleRun(call, &pass, defines, sizeof defines, &one);
  }
  return status;
}

clStatus txBundleDense(const char *call, const txBundleProduct *product) {
  const clMatrix *A = product->A;
  const txLayout *image = &A->row_layout;
  txTexture *sums[TX_BUNDLE * TX_GROUPS] = {0};
  int64_t wanted = ceilDiv(FRAGMENTS, (int64_t)image->width * image->height), count = ceilDiv(A->cols, SHORTEST);
  int64_t most = least(PANELS, clContextInspect(A->context)->max_texture_size / image->height);
  int span = ceilDiv(A->cols, least(least(wanted, count), most)), panels = ceilDiv(A->cols, span);
  clStatus status = TEXLA_OK;
  for (int k = 0; k < TX_BUNDLE * product->groups && !status; k++)
    status = txTextureCreate(&sums[k], A->context, call, TX_RGBA32F, image->width, image->height * panels);
  if (!status)
    status = sumPanels(call, product, span, sums);
  if (!status)
    status = joinPanels(call, product, panels, sums);
  for (int k = 0; k < TX_BUNDLE * TX_GROUPS; k++)
    txTextureDestroy(sums[k]);
  return status;
}
