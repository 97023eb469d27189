#include "ops/bundle.h"

#include <stdio.h>
#include <string.h>

clStatus txBundleCreate(clVector **out, clContext *context, const char *call, const txLayout *vector) {
  txLayout layout;
  if (!txLayoutBundle(&layout, context, vector))
    return txFail(txContextError(context), TEXLA_TOO_LARGE, call,
                  "four vectors of length %lld, interleaved, do not fit into one texture", (long long)vector->length);
  return txVectorCreate(out, context, call, &layout);
}

clStatus txBundleGather(const char *call, clVector *bundle, const clVector *const *x, int count) {
  static const char *const name[TX_BUNDLE] = {"x0", "x1", "x2", "x3"};
  char defines[32];
  snprintf(defines, sizeof defines, "#define COUNT %d\n", count);
  float span = (float)bundle->layout.width / (4 * (float)x[0]->layout.width);
  txPass pass = {.kernel = "bundle_gather", .defines = defines, .uniform = {{"span", 1, {span}}}};
  for (int k = 0; k < count; k++)
    pass.source[k] = (txSource){name[k], x[k]->texture, TX_EDGE};
  return txVectorRun(call, &pass, bundle);
}

clStatus txBundleScatter(const char *call, clVector *const *x, int count, const clVector *bundle) {
  char defines[32];
  snprintf(defines, sizeof defines, "#define COUNT %d\n", count);
  txPass pass = {
      .kernel = "bundle_scatter", .defines = defines, .source = {{"bundle", bundle->texture, TX_ZERO}}, .work = 4};
  return txVectorsRun(call, &pass, x, count);
}

clStatus txBundleMultiply(const char *call, const txBundleProduct *product) {
  static clStatus (*const multiply[])(const char *, const txBundleProduct *) = {
      NULL, txBundleDense, txBundleBanded, txBundlePoints, txBundleCsr, txBundleSlots};
  return multiply[product->A->storage](call, product);
}

txBundleProduct txBundleAdding(const txBundleProduct *product) {
  txBundleProduct p = *product;
  p.b = p.y;
  p.cb = 1;
  return p;
}

static void addSource(txPass *pass, const char *name, const txTexture *texture) {
  int i = 0;
  while (pass->source[i].name)
    i++;
  pass->source[i] = (txSource){name, texture, TX_EDGE};
}

static void addOperands(txPass *pass, char *defines, size_t n, const txBundleProduct *p) {
  static const char *const x[TX_GROUPS] = {"x0", "x1"}, *const b[TX_GROUPS] = {"b0", "b1"};
  size_t used = strlen(defines);
  snprintf(defines + used, n - used, "#define GROUPS %d\n%s", p->groups, p->b ? "#define ADDEND\n" : "");
  pass->defines = defines;
  for (int g = 0; g < p->groups; g++) {
    addSource(pass, x[g], p->x[g]->texture);
    if (p->b)
      addSource(pass, b[g], p->b[g]->texture);
  }
  txPassUniform(pass, (txUniform){"factors", 2, {p->ca, p->cb}, NULL, false});
}

clStatus txBundleRun(const char *call, txPass *pass, char *defines, size_t n, const txBundleProduct *product) {
  addOperands(pass, defines, n, product);
  return txVectorsRun(call, pass, product->y, product->groups);
}

clStatus txBundleDraw(const char *call, txPass *pass, char *defines, size_t n, const txBundleProduct *product) {
  txUniform extent = {"extent", 3, {0}, NULL, false};
  txLayoutExtent(&product->y[0]->layout, extent.value);
  txPassUniform(pass, extent);
  addOperands(pass, defines, n, product);
  for (int g = 0; g < product->groups; g++)
    pass->target[g] = product->y[g]->texture;
  return txPassRun(product->A->context, call, pass);
}
