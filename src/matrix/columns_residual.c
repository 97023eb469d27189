/* The residual in double-float of the storage dense: partial sums over parts of columns, then their
 * sum. */
#include "core/numbers.h"
#include "gl/traits.h"
#include "matrix/columns.h"
#include "matrix/residual.h"

#include <stdio.h>

enum { FRAGMENTS = 8192, LONGEST = 64, SHORTEST = 4 /* texels of x in a part */ };

static int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

static int shiftOf(const txLayout *linear) {
  int shift = 0;
  while ((int64_t)4 << shift < linear->row)
    shift++;
  return shift;
}

/* partial <- -A x in parts; x is linear. */
static clStatus addParts(const char *call, txTexture *const partial[2], const txResidual *r,
                         const clDoubleVector *x, int span) {
  char text[256];
  const clVector *high = &x->high;
  txPass pass = {
      .kernel = "columns_residual", .target = {partial[0], partial[1]}, .work = 6 * (int64_t)span};
  txColumnsMatrix(&pass, r->A);
  snprintf(text, sizeof text, "%s%s", txDoubleFloatDefine(r->A->context),
           pass.defines ? pass.defines : "");
  pass.defines = text;
  txPassSource(&pass, "x", high->texture, TX_EDGE);
  txPassSource(&pass, "x_low", x->low.texture, TX_EDGE);
  txPassIntegers(&pass, "x_shift", 1, shiftOf(&high->layout), 0);
  txPassIntegers(&pass, "x_count", 1, (int)ceilDiv(high->layout.length, 4), 0);
  txPassIntegers(&pass, "span", 1, span, 0);
  return txPassRun(r->A->context, call, &pass);
}

static clStatus residual(const char *call, const txResidual *r, const clDoubleVector *x) {
  clContext *context = r->A->context;
  const txLayout *y = &r->b->high.layout;
  int64_t count = ceilDiv(x->high.layout.length, 4),
          limit = clContextInspect(context)->max_texture_size / y->height;
  int64_t wanted =
      txLeast64(ceilDiv(FRAGMENTS, (int64_t)y->width * y->height), ceilDiv(count, SHORTEST));
  int64_t least = ceilDiv(count, LONGEST),
          span = ceilDiv(count, txLeast64(wanted > least ? wanted : least, limit));
  int parts = (int)ceilDiv(count, span);
  txTexture *partial[2] = {NULL, NULL};
  clStatus status = TEXLA_OK;
  for (int i = 0; i < 2 && !status; i++)
    status = txTextureCreate(&partial[i], context, call, TX_RGBA32F, y->width, y->height * parts);
  if (!status)
    status = addParts(call, partial, r, x, (int)span);
  txPass pass = {.kernel = "parts_residual",
                 .source = {{"partial", partial[0], TX_EDGE}, {"partial_low", partial[1], TX_EDGE}},
                 .work = 2 * (int64_t)parts};
  txPassIntegers(&pass, "height", 1, y->height, 0);
  txPassIntegers(&pass, "parts", 1, parts, 0);
  if (!status)
    status = txResidualRun(call, &pass, "", r);
  txTextureDestroy(partial[0]);
  txTextureDestroy(partial[1]);
  return status;
}

clStatus txColumnsResidual(const char *call, const txResidual *r) {
  const txDense *dense = r->A->data;
  clDoubleVector *linear = NULL;
  if (!r->A->col_layout.grid)
    return residual(call, r, r->x);
  clStatus status = txDoubleVectorCreate(&linear, r->A->context, call, &dense->columns);
  if (!status)
    status = clDoubleVectorCopy(linear, r->x);
  if (!status)
    status = residual(call, r, linear);
  clDoubleVectorDestroy(linear);
  return status;
}
