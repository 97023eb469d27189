#include "vector/unpack.h"

clStatus txUnpackInto(const char *call, txTexture *target, const clVector *x) {
  float span = (float)target->width / (4 * (float)x->texture->width);
  txPass pass = {.kernel = "unpack",
                 .target = {target},
                 .source = {{"x", x->texture, TX_EDGE}},
                 .uniform = {{"span", 1, {span}, NULL, false}}};
  return txPassRun(x->context, call, &pass);
}

clStatus txUnpack(txTexture **out, const char *call, const clVector *x) {
  int64_t width = 4 * (int64_t)x->layout.width;
  if (width > x->layout.row)
    width = x->layout.row;
  clStatus status = txTextureCreate(out, x->context, call, TX_R32F, (int)width, x->layout.height);
  if (!status)
    (*out)->meaning = (txMeaning){"unpacked", {x->layout.length, x->layout.row, x->layout.grid}};
  if (!status)
    status = txUnpackInto(call, *out, x);
  if (status) {
    txTextureDestroy(*out);
    *out = NULL;
  }
  return status;
}
