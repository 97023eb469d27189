/* Rescale (K13): one textured quad and the device's bilinear filter. */
#include "vector/unpack.h"
#include "core/try.h"

/* The filter interpolates texels of one number, so that x is unpacked first. */
clStatus clVectorRescale(clVector *y, const clVector *x) {
  static const char call[] = "clVectorRescale";
  if (!x || !y || x == y)
    return txFail(txVectorError(x ? x : y), TEXLA_BAD_ARGUMENT, call,
                  "x and y must be two vectors, not NULL");
  TRY(txContextSame(y->context, x->context, call));
  if (!x->layout.grid || !y->layout.grid)
    return txFail(txContextError(x->context), TEXLA_BAD_SHAPE, call,
                  "x and y must have the grid layout (clVectorCreateGrid)");
  if (!clContextInspect(x->context)->probes.filterable)
    return txFail(txContextError(x->context), TEXLA_UNSUPPORTED, call,
                  "this device has no exact bilinear filter for single-precision textures");
  txTexture *single = NULL;
  TRY(txUnpack(&single, call, x));
  txPass pass = {
      .kernel = "rescale",
      .source = {{"x", single, TX_BILINEAR}},
      .uniform = {{"cell", 2, {1.0f / (float)y->layout.row, 1.0f / (float)y->layout.height}}}};
  clStatus status = txVectorRun(call, &pass, y);
  txTextureDestroy(single);
  return status;
}
