/* Are dFdx and dFdy what dFdxFine and dFdyFine are: the exact difference of the two fragments in
 * the same row, or column, of a block of 2 x 2? A device may give all four those of one of them. */
#include "gl/gl.h"
#include "core/try.h"

enum { SIDE = 4 };
static const char call[] = "clContextCreate";

/* Of x^2 + 3 x y + 2 y^2, whose blocks begin at even places: where x is even,
 * (x + 1)^2 - x^2 + 3 y. */
static bool isFine(const float *derivative, int x, int y) {
  const int left = x & ~1, below = y & ~1;
  return derivative[0] == (float)(2 * left + 1 + 3 * y) &&
         derivative[1] == (float)(4 * below + 2 + 3 * x);
}

/* A shader that does not compile is not fine; memory that ends is an error. */
static clStatus probeDerivativesProbe(clContext *context, txTexture *target, int *fine) {
  float texel[SIDE * SIDE][4];
  txPass pass = {.kernel = "probe_derivatives", .target = {target}};
  TRY(txPassRun(context, call, &pass));
  TRY(txTextureRead(target, call, (txRect){0, 0, SIDE, SIDE}, texel));
  *fine = 1;
  for (int i = 0; i < SIDE * SIDE; i++)
    if (!isFine(texel[i], i % SIDE, i / SIDE))
      *fine = 0;
  return TEXLA_OK;
}

clStatus txProbeDerivatives(clContext *context, int *fine) {
  txTexture *target = NULL;
  if (!*fine)
    return TEXLA_OK;
  *fine = 0;
  TRY(txTextureCreate(&target, context, call, TX_RGBA32F, SIDE, SIDE));
  clStatus status = probeDerivativesProbe(context, target, fine);
  txTextureDestroy(target);
  return status == TEXLA_OUT_OF_MEMORY ? status : TEXLA_OK;
}
