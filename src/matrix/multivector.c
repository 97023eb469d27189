#include "matrix/multivector.h"

#include <stdio.h>
#include <string.h>

clStatus txMultivectorCreate(clVector **out, clContext *context, const char *call,
                             const txLayout *vector) {
  txLayout layout;
  if (!txLayoutMultivector(&layout, context, vector))
    return txFail(txContextError(context), TEXLA_TOO_LARGE, call,
                  "four vectors of length %lld, interleaved, do not fit into one texture",
                  (long long)vector->length);
  return txVectorCreate(out, context, call, &layout);
}

/* Vectors that are missing are zero. */
clStatus txMultivectorGather(const char *call, clVector *multivector, const clVector *const *x,
                             int count) {
  static const char *const name[TX_MULTIVECTOR] = {"x0", "x1", "x2", "x3"};
  char defines[32];
  snprintf(defines, sizeof defines, "#define COUNT %d\n", count);
  float span = (float)multivector->layout.width / (4 * (float)x[0]->layout.width);
  txPass pass = {
      .kernel = "multivector_gather", .defines = defines, .uniform = {{"span", 1, {span}}}};
  for (int k = 0; k < count; k++)
    pass.source[k] = (txSource){name[k], x[k]->texture, TX_EDGE};
  return txVectorRun(call, &pass, multivector);
}

clStatus txMultivectorScatter(const char *call, clVector *const *x, int count,
                              const clVector *multivector) {
  char defines[32];
  snprintf(defines, sizeof defines, "#define COUNT %d\n", count);
  txPass pass = {.kernel = "multivector_scatter",
                 .defines = defines,
                 .source = {{"multivector", multivector->texture, TX_ZERO}},
                 .work = 4};
  return txVectorsRun(call, &pass, x, count);
}

clStatus txMultivectorMultiply(const char *call, const txMultiProduct *product) {
  return product->A->operations->multiplySeveral(call, product);
}

txMultiProduct txMultivectorAdding(const txMultiProduct *product) {
  txMultiProduct p = *product;
  p.b = p.y;
  p.cb = 1;
  return p;
}

/* What all kernels for multivectors read, under the names that they know. */
static void multivectorAddOperands(txPass *pass, char *defines, size_t n, const txMultiProduct *p) {
  static const char *const x[TX_GROUPS] = {"x0", "x1"}, *const b[TX_GROUPS] = {"b0", "b1"};
  size_t used = strlen(defines);
  snprintf(defines + used, n - used, "#define GROUPS %d\n%s", p->groups,
           txWhen(p->b != NULL, "#define ADDEND\n"));
  pass->defines = defines;
  for (int g = 0; g < p->groups; g++) {
    txPassSource(pass, x[g], p->x[g]->texture, TX_EDGE);
    if (p->b)
      txPassSource(pass, b[g], p->b[g]->texture, TX_EDGE);
  }
  txPassUniform(pass, (txUniform){"factors", 2, {p->ca, p->cb}, NULL, false});
}

clStatus txMultivectorRun(const char *call, txPass *pass, char *defines, size_t n,
                          const txMultiProduct *product) {
  multivectorAddOperands(pass, defines, n, product);
  return txVectorsRun(call, pass, product->y, product->groups);
}

/* Only a part of y is rendered, so that y cannot go through a fresh texture and must not be a
 * source. */
clStatus txMultivectorDraw(const char *call, txPass *pass, char *defines, size_t n,
                           const txMultiProduct *product) {
  txUniform extent = {"extent", 3, {0}, NULL, false};
  txLayoutExtent(&product->y[0]->layout, extent.value);
  txPassUniform(pass, extent);
  multivectorAddOperands(pass, defines, n, product);
  for (int g = 0; g < product->groups; g++)
    pass->target[g] = product->y[g]->texture;
  return txPassRun(product->A->context, call, pass);
}
