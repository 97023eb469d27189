#include "vector/unpack.h"
#include "core/numbers.h"
#include "core/try.h"

clStatus txUnpackInto(const char *call, txTexture *target, const clVector *x) {
  float span = (float)target->width / (4 * (float)x->texture->width);
  txPass pass = {.kernel = "unpack",
                 .target = {target},
                 .source = {{"x", x->texture, TX_EDGE}},
                 .uniform = {{"span", 1, {span}, NULL, false}}};
  return txPassRun(x->context, call, &pass);
}

/* Elements behind the end of a row are left out, as far as whole texels allow. */
clStatus txUnpack(txTexture **out, const char *call, const clVector *x) {
  int64_t width = txLeast64(4 * (int64_t)x->layout.width, x->layout.row);
  clStatus status = TEXLA_OK;
  txTexture *target = NULL;
  TRY_CLEANUP(txTextureCreate(&target, x->context, call, TX_R32F, (int)width, x->layout.height));
  target->meaning = (txMeaning){"unpacked", {x->layout.length, x->layout.row, x->layout.grid}};
  TRY_CLEANUP(txUnpackInto(call, target, x));
  *out = target;
  return TEXLA_OK;
cleanup:
  txTextureDestroy(target);
  return status;
}
