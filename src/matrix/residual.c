/* Residuals in double-float: what all storages share. */
#include "matrix/residual.h"
#include "core/try.h"
#include "core/allocate.h"
#include "gl/traits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void txResidualPass(txPass *pass, char *text, size_t n, const char *defines, const txResidual *r) {
  const clDoubleVector *b = r->b;
  snprintf(text, n, "%s%s%s%s", txDoubleFloatDefine(r->A->context), defines,
           txWhen(r->pair != NULL, "#define PAIR\n"), txFullDefine(&b->high.layout));
  pass->defines = text;
  txPassSource(pass, "b", b->high.texture, TX_EDGE);
  txPassSource(pass, "b_low", b->low.texture, TX_EDGE);
  if (!r->pair)
    txPassUniform(pass, (txUniform){"factor", 1, {r->factor}, NULL, false});
}

/* The result is rendered as a pair of vectors, or rounded into a single one. */
clStatus txResidualRun(const char *call, txPass *pass, const char *defines, const txResidual *r) {
  enum { MORE = 256 };
  size_t n = strlen(defines) + MORE;
  char *text = txAllocate(txContextError(r->A->context), call, n, 1, "a shader");
  if (!text)
    return TEXLA_OUT_OF_MEMORY;
  txResidualPass(pass, text, n, defines, r);
  clStatus status = TEXLA_OK;
  if (r->pair)
    TRY_CLEANUP(txVectorsRun(call, pass, (clVector *const[]){&r->pair->high, &r->pair->low}, 2));
  else
    TRY_CLEANUP(txVectorRun(call, pass, r->single));
cleanup:
  free(text);
  return status;
}

/* b - low x in double-float: low x is small enough for single precision. */
static clStatus subtractLow(const char *call, clDoubleVector **out, const txResidual *r) {
  clVector product = {.context = r->A->context, .layout = r->b->high.layout};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDoubleVectorReserve(out, product.context, call, &product.layout));
  TRY_CLEANUP(txLayoutTexture(&product.texture, product.context, call, &product.layout));
  TRY_CLEANUP(
      r->A->low->operations->multiply(call, &product, 1, r->A->low, false, &r->x->high, 0, NULL));
  TRY_CLEANUP(txDoubleAddSingle(call, *out, -1, &product, 1, r->b));
cleanup:
  txTextureDestroy(product.texture);
  return status;
}

/* Where entries have lower parts, b - low x is taken first, and the rest from that. */
clStatus txMatrixResidual(const char *call, const txResidual *residual) {
  txResidual r = *residual;
  clDoubleVector *b = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDoubleFloatCheck(r.A->context, call));
  if (!r.A->operations->residual)
    TRY_CLEANUP(txFail(txContextError(r.A->context), TEXLA_UNSUPPORTED, call,
                       "an operator of one's own and the storage points have no residual in "
                       "double-float; use csr or slots"));
  if (r.A->low) {
    TRY_CLEANUP(subtractLow(call, &b, &r));
    r.b = b;
  }
  TRY_CLEANUP(r.A->operations->residual(call, &r));
cleanup:
  clDoubleVectorDestroy(b);
  return status;
}
