/* clDouble and clDoubleVector: life and transfer. */
#include "vector/double.h"
#include "core/try.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "gl/traits.h"

#include <stdlib.h>
#include <string.h>

/* Two clFloats with one texel each. The number is zero until something is uploaded. */
clStatus clDoubleCreate(clDouble **out, clContext *context) {
  static const char call[] = "clDoubleCreate";
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL");
  clDouble *s = txAllocate(txContextError(context), call, 1, sizeof *s, "a clDouble");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  s->high.context = s->low.context = context;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(&s->high.texture, context, call, TX_R32F, 1, 1));
  TRY_CLEANUP(txTextureCreate(&s->low.texture, context, call, TX_R32F, 1, 1));
  TRY_CLEANUP(clDoubleUpload(s, 0));
  *out = s;
  return TEXLA_OK;
cleanup:
  clDoubleDestroy(s);
  return status;
}

void clDoubleDestroy(clDouble *s) {
  if (!s)
    return;
  txTextureDestroy(s->high.texture);
  txTextureDestroy(s->low.texture);
  free(s);
}

/* What is beyond 48 bits is rounded away. */
clStatus clDoubleUpload(clDouble *s, double value) {
  float hi, lo;
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  txDoubleSplit(value, &hi, &lo);
  TRY(clFloatUpload(&s->high, hi));
  return clFloatUpload(&s->low, lo);
}

/* The halves do not overlap, so that their sum is exact in double. */
clStatus clDoubleDownload(const clDouble *s, double *value) {
  float hi = 0, lo = 0;
  if (!s || !value)
    return txFail(s ? txContextError(s->high.context) : NULL, TEXLA_BAD_ARGUMENT,
                  "clDoubleDownload", "s and value must not be NULL");
  TRY(clFloatDownload(&s->high, &hi));
  TRY(clFloatDownload(&s->low, &lo));
  *value = (double)hi + (double)lo;
  return TEXLA_OK;
}

/* The halves have the layout of one vector, so that every kernel for vectors works on each of
 * them. */
clStatus txDoubleVectorReserve(clDoubleVector **out, clContext *context, const char *call,
                               const txLayout *layout) {
  clDoubleVector *x = txAllocate(txContextError(context), call, 1, sizeof *x, "a clDoubleVector");
  if (!x)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  clVector *half[] = {&x->high, &x->low};
  for (int i = 0; i < 2; i++) {
    *half[i] = (clVector){.context = context, .layout = *layout};
    TRY_CLEANUP(txLayoutTexture(&half[i]->texture, context, call, layout));
  }
  *out = x;
  return TEXLA_OK;
cleanup:
  clDoubleVectorDestroy(x);
  return status;
}

/* Zero is zero in both halves. */
clStatus txDoubleVectorClear(clDoubleVector *x, const char *call) {
  TRY(txTextureClear(x->high.texture, call));
  return txTextureClear(x->low.texture, call);
}

/* Zero bits are the number zero in both halves, so that clearing the textures is enough. */
clStatus txDoubleVectorCreate(clDoubleVector **out, clContext *context, const char *call,
                              const txLayout *layout) {
  clDoubleVector *x = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDoubleVectorReserve(&x, context, call, layout));
  TRY_CLEANUP(txDoubleVectorClear(x, call));
  *out = x;
  return TEXLA_OK;
cleanup:
  clDoubleVectorDestroy(x);
  return status;
}

/* With the layout of a vector that was created for it, so that the checks are those of clVector. */
static clStatus createLike(clDoubleVector **out, const char *call, const clVector *x) {
  if (!out)
    return txFail(txVectorError(x), TEXLA_BAD_ARGUMENT, call, "out must not be NULL");
  return txDoubleVectorCreate(out, x->context, call, &x->layout);
}

clStatus clDoubleVectorCreate(clDoubleVector **out, clContext *context, int64_t length) {
  clVector *x = NULL;
  TRY(clVectorCreate(&x, context, length));
  clStatus status = createLike(out, "clDoubleVectorCreate", x);
  clVectorDestroy(x);
  return status;
}

clStatus clDoubleVectorCreateGrid(clDoubleVector **out, clContext *context, int nx, int ny) {
  clVector *x = NULL;
  TRY(clVectorCreateGrid(&x, context, nx, ny));
  clStatus status = createLike(out, "clDoubleVectorCreateGrid", x);
  clVectorDestroy(x);
  return status;
}

clStatus clDoubleVectorCreateLike(clDoubleVector **out, const clVector *x) {
  static const char call[] = "clDoubleVectorCreateLike";
  if (!out || !x)
    return txFail(txVectorError(x), TEXLA_BAD_ARGUMENT, call, "out and x must not be NULL");
  return txDoubleVectorCreate(out, x->context, call, &x->layout);
}

void clDoubleVectorDestroy(clDoubleVector *x) {
  if (!x)
    return;
  txTextureDestroy(x->high.texture);
  txTextureDestroy(x->low.texture);
  free(x);
}

int64_t clDoubleVectorLength(const clDoubleVector *x) {
  return x ? x->high.layout.length : 0;
}

/* Numbers on their way between double and two floats. */
typedef struct halves {
  int64_t count;
  const double *in;
  double *out;
  float *hi, *lo;
  /* Where the halves lie in pairs (hi, lo) instead of in two arrays. */
  const float *pairs;
  /* The factors of hi and of lo, and those of the elements; `scale` NULL means 1. */
  const double *factor, *scale;
} halves;

static void split(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const halves *h = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    txDoubleSplit(h->in[i], &h->hi[i], &h->lo[i]);
}

/* A number's two halves together, as `halves` scales them. */
static double joined(const halves *h, int64_t i, float high, float low) {
  double v = h->factor[0] * (double)high + h->factor[1] * (double)low;
  return h->scale ? h->scale[i] * v : v;
}

static void doubleJoin(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const halves *h = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    h->out[i] = joined(h, i, h->hi[i], h->lo[i]);
}

/* On the host: for rows that are longer than a texture is wide, with one element to a texel. */
static clStatus splitOnHost(clDoubleVector *x, const char *call, const double *values) {
  int64_t n = x->high.layout.length;
  float *hi =
      txAllocate(txContextError(x->high.context), call, (size_t)n, 2 * sizeof *hi, "a vector");
  if (!hi)
    return TEXLA_OUT_OF_MEMORY;
  txParallel(n, split, &(halves){.in = values, .hi = hi, .lo = hi + n}, NULL);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clVectorUpload(&x->high, hi));
  TRY_CLEANUP(clVectorUpload(&x->low, hi + n));
cleanup:
  free(hi);
  return status;
}

/* *out <- the doubles' bits, one to a texel; all rows but a shorter last one lie in memory as in
 * the texture. */
static clStatus uploadBits(txTexture **out, clContext *context, const char *call,
                           const txLayout *layout, const double *values) {
  int64_t width = txLeast64(layout->length, layout->row), whole = layout->length / width;
  TRY(txTextureCreate(out, context, call, TX_RG32I, (int)width, layout->height));
  TRY(txTextureWrite(*out, call, (txRect){0, 0, (int)width, (int)whole}, values));
  if (whole * width < layout->length)
    TRY(txTextureWrite(*out, call,
                       (txRect){0, (int)whole, (int)(layout->length - whole * width), 1},
                       values + whole * width));
  return TEXLA_OK;
}

/* The bits of the doubles travel as they are and are taken apart by a pass, which is faster than
 * converting on the host. The pass relies on the low word coming first in memory. */
clStatus clDoubleVectorUpload(clDoubleVector *x, const double *values) {
  static const char call[] = "clDoubleVectorUpload";
  if (!x || !values)
    return txFail(txDoubleVectorError(x), TEXLA_BAD_ARGUMENT, call,
                  "x and values must not be NULL");
  clContext *context = x->high.context;
  const uint64_t order = 1;
  if (x->high.layout.row > clContextInspect(context)->max_texture_size ||
      !*(const unsigned char *)&order)
    return splitOnHost(x, call, values);
  txTexture *bits = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(uploadBits(&bits, context, call, &x->high.layout, values));
  txPass pass = {.kernel = "double_split", .source = {{"bits", bits, TX_EDGE}}};
  TRY_CLEANUP(txVectorsRun(call, &pass, (clVector *const[]){&x->high, &x->low}, 2));
cleanup:
  txTextureDestroy(bits);
  return status;
}

/* For rows that are longer than a texture is wide, with one element to a texel. */
static clStatus joinOnHost(const char *call, const clVector *high, const clVector *low, halves *h) {
  int64_t n = high->layout.length;
  float *hi =
      txAllocate(txContextError(high->context), call, (size_t)n, 2 * sizeof *hi, "a vector");
  if (!hi)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clVectorDownload(high, hi));
  TRY_CLEANUP(clVectorDownload(low, hi + n));
  h->hi = hi;
  h->lo = hi + n;
  txParallel(n, doubleJoin, h, NULL);
cleanup:
  free(hi);
  return status;
}

/* The elements of both halves, one to a texel, in a texture that the host reads as an array of
 * pairs. */
static clStatus doubleUnpack(txTexture **out, const char *call, const clVector *high,
                             const clVector *low) {
  const txLayout *layout = &high->layout;
  int64_t width = txLeast64(layout->length, layout->row);
  txPass pass = {
      .kernel = "double_unpack",
      .source = {{"x", high->texture, TX_EDGE}, {"x_low", low->texture, TX_EDGE}},
      .uniform = {{"span", 1, {(float)width / (4 * (float)high->texture->width)}, NULL, false}}};
  return txPassInto(out, high->context, call, &pass, TX_RG32F, (int)width, layout->height);
}

clStatus txDoubleUnpack(txTexture **out, const char *call, const clDoubleVector *x) {
  return doubleUnpack(out, call, &x->high, &x->low);
}

/* Pairs of floats become doubles; those may be in the place of these. */
static void joinPairs(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const halves *h = user;
  (void)sum;
  for (int64_t i = first; i < last; i++) {
    float pair[2];
    memcpy(pair, h->pairs + 2 * i, sizeof pair);
    h->out[i] = joined(h, i, pair[0], pair[1]);
  }
}

static void joinMapped(void *user, const void *texels) {
  halves *h = user;
  h->pairs = texels;
  txParallel(h->count, joinPairs, h, NULL);
}

/* A number to a texel lies in memory as the doubles will: all rows but a shorter last one. */
static clStatus joinTexels(const char *call, const txTexture *pairs, halves *h) {
  int width = pairs->width, whole = (int)(h->count / width);
  int64_t rest = h->count - (int64_t)whole * width;
  TRY(txTextureRead(pairs, call, (txRect){0, 0, width, whole}, h->out));
  if (rest)
    TRY(txTextureRead(pairs, call, (txRect){0, whole, (int)rest, 1},
                      h->out + (int64_t)whole * width));
  joinMapped(h, h->out);
  return TEXLA_OK;
}

/* By the driver's own memory where that is faster, and has room. */
static clStatus joinPacked(const char *call, const txTexture *pairs, halves *h) {
  if (txDownloadWorthWhile(pairs->context, (size_t)h->count * sizeof(double))) {
    clStatus status = txTextureReadMapped(pairs, call, joinMapped, h);
    if (status != TEXLA_OUT_OF_MEMORY)
      return status;
  }
  return joinTexels(call, pairs, h);
}

/* A row that is wider than a texture with one element to a texel can be is put together on the
 * host. */
clStatus txDoublePartsDownload(const char *call, const clVector *high, const clVector *low,
                               const double factor[2], const double *scale, double *values) {
  halves h = {.count = high->layout.length, .out = values, .factor = factor, .scale = scale};
  if (high->layout.row > clContextInspect(high->context)->max_texture_size)
    return joinOnHost(call, high, low, &h);
  txTexture *pairs = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(doubleUnpack(&pairs, call, high, low));
  TRY_CLEANUP(joinPacked(call, pairs, &h));
cleanup:
  txTextureDestroy(pairs);
  return status;
}

clStatus clDoubleVectorDownload(const clDoubleVector *x, double *values) {
  static const char call[] = "clDoubleVectorDownload";
  const double one[2] = {1, 1};
  if (!x || !values)
    return txFail(txDoubleVectorError(x), TEXLA_BAD_ARGUMENT, call,
                  "x and values must not be NULL");
  return txDoublePartsDownload(call, &x->high, &x->low, one, NULL, values);
}
