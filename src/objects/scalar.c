/* clFloat: life and transfer (K1). */
#include "objects/scalar.h"

#include <stdlib.h>

static const txRect whole = {0, 0, 1, 1};

clStatus clFloatCreate(clFloat **out, clContext *context) {
  static const char call[] = "clFloatCreate";
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "out and context must not be NULL");
  clFloat *s = calloc(1, sizeof *s);
  if (!s)
    return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory for a clFloat");
  s->context = context;
  clStatus status = txTextureCreate(&s->texture, context, call, TX_R32F, 1, 1);
  if (!status)
    status = clFloatUpload(s, 0);
  if (status) {
    clFloatDestroy(s);
    return status;
  }
  *out = s;
  return TEXLA_OK;
}

void clFloatDestroy(clFloat *s) {
  if (!s)
    return;
  txTextureDestroy(s->texture);
  free(s);
}

clStatus clFloatUpload(clFloat *s, float value) {
  return s ? txTextureWrite(s->texture, "clFloatUpload", whole, &value) : TEXLA_BAD_ARGUMENT;
}

clStatus clFloatDownload(const clFloat *s, float *value) {
  if (!s || !value)
    return txFail(s ? txContextError(s->context) : NULL, TEXLA_BAD_ARGUMENT, "clFloatDownload",
                  "s and value must not be NULL");
  return txTextureRead(s->texture, "clFloatDownload", whole, value);
}
