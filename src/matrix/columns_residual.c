/* The residual in double-float of the storage dense: partial sums over parts of columns, then their
 * sum. */
#include "core/numbers.h"
#include "core/try.h"
#include "gl/traits.h"
#include "matrix/columns.h"
#include "matrix/residual.h"

#include <stdio.h>

enum { FRAGMENTS = 8192, LONGEST = 64, SHORTEST = 4 /* texels of x in a part */ };

/* partial <- -A x in parts; x is linear. */
static clStatus addParts(const char *call, txTexture *const partial[2], const txResidual *r,
                         const clDoubleVector *x, int span) {
  char text[256];
  const clVector *high = &x->high;
  txPass pass = {
      .kernel = "columns_residual", .target = {partial[0], partial[1]}, .work = 6 * (int64_t)span};
  txColumnsMatrix(&pass, r->A);
  snprintf(text, sizeof text, "%s%s", txDoubleFloatDefine(r->A->context),
           txWhen(pass.defines != NULL, pass.defines));
  pass.defines = text;
  txPassSource(&pass, "x", high->texture, TX_EDGE);
  txPassSource(&pass, "x_low", x->low.texture, TX_EDGE);
  txPassIntegers(&pass, "x_shift", 1, txLinearShift(&high->layout), 0);
  txPassIntegers(&pass, "x_count", 1, (int)txCeilDiv64(high->layout.length, 4), 0);
  txPassIntegers(&pass, "span", 1, span, 0);
  return txPassRun(r->A->context, call, &pass);
}

/* Partial sums in pairs, then their sum with b, in double-float throughout. */
static clStatus residual(const char *call, const txResidual *r, const clDoubleVector *x) {
  clContext *context = r->A->context;
  const txLayout *y = &r->b->high.layout;
  int64_t count = txCeilDiv64(x->high.layout.length, 4), texels = (int64_t)y->width * y->height;
  int64_t limit = clContextInspect(context)->max_texture_size / y->height;
  int64_t wanted = txLeast64(txCeilDiv64(FRAGMENTS, texels), txCeilDiv64(count, SHORTEST));
  int64_t most = txLeast64(txMost64(wanted, txCeilDiv64(count, LONGEST)), limit);
  int span = (int)txCeilDiv64(count, most), parts = (int)txCeilDiv64(count, span);
  txTexture *partial[2] = {NULL, NULL};
  clStatus status = TEXLA_OK;
  for (int i = 0; i < 2; i++)
    TRY_CLEANUP(
        txTextureCreate(&partial[i], context, call, TX_RGBA32F, y->width, y->height * parts));
  TRY_CLEANUP(addParts(call, partial, r, x, span));
  txPass pass = {.kernel = "parts_residual",
                 .source = {{"partial", partial[0], TX_EDGE}, {"partial_low", partial[1], TX_EDGE}},
                 .work = 2 * (int64_t)parts};
  txPassIntegers(&pass, "height", 1, y->height, 0);
  txPassIntegers(&pass, "parts", 1, parts, 0);
  TRY_CLEANUP(txResidualRun(call, &pass, "", r));
cleanup:
  txTextureDestroy(partial[0]);
  txTextureDestroy(partial[1]);
  return status;
}

/* As in the product, x of a grid becomes linear. */
clStatus txColumnsResidual(const char *call, const txResidual *r) {
  const txDense *dense = r->A->data;
  clDoubleVector *linear = NULL;
  if (!r->A->col_layout.grid)
    return residual(call, r, r->x);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDoubleVectorCreate(&linear, r->A->context, call, &dense->columns));
  TRY_CLEANUP(clDoubleVectorCopy(linear, r->x));
  TRY_CLEANUP(residual(call, r, linear));
cleanup:
  clDoubleVectorDestroy(linear);
  return status;
}
