/* clDouble and clDoubleVector: life and transfer. */
#include "vector/double.h"
#include "core/allocate.h"
#include "core/parallel.h"
#include "gl/traits.h"

#include <stdlib.h>
#include <string.h>

clStatus clDoubleCreate(clDouble **out, clContext *context) {
  static const char call[] = "clDoubleCreate";
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL");
  clDouble *s = txAllocate(txContextError(context), call, 1, sizeof *s, "a clDouble");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  s->high.context = s->low.context = context;
  clStatus status = txTextureCreate(&s->high.texture, context, call, TX_R32F, 1, 1);
  if (!status)
    status = txTextureCreate(&s->low.texture, context, call, TX_R32F, 1, 1);
  if (!status)
    status = clDoubleUpload(s, 0);
  if (status)
    clDoubleDestroy(s);
  else
    *out = s;
  return status;
}

void clDoubleDestroy(clDouble *s) {
  if (!s)
    return;
  txTextureDestroy(s->high.texture);
  txTextureDestroy(s->low.texture);
  free(s);
}

clStatus clDoubleUpload(clDouble *s, double value) {
  float hi, lo;
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  txDoubleSplit(value, &hi, &lo);
  clStatus status = clFloatUpload(&s->high, hi);
  return status ? status : clFloatUpload(&s->low, lo);
}

clStatus clDoubleDownload(const clDouble *s, double *value) {
  float hi = 0, lo = 0;
  if (!s || !value)
    return txFail(s ? txContextError(s->high.context) : NULL, TEXLA_BAD_ARGUMENT,
                  "clDoubleDownload", "s and value must not be NULL");
  clStatus status = clFloatDownload(&s->high, &hi);
  if (!status)
    status = clFloatDownload(&s->low, &lo);
  if (!status)
    *value = (double)hi + (double)lo;
  return status;
}

clStatus txDoubleVectorReserve(clDoubleVector **out, clContext *context, const char *call,
                               const txLayout *layout) {
  clDoubleVector *x = txAllocate(txContextError(context), call, 1, sizeof *x, "a clDoubleVector");
  if (!x)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  clVector *half[] = {&x->high, &x->low};
  for (int i = 0; i < 2 && !status; i++) {
    *half[i] = (clVector){.context = context, .layout = *layout};
    status = txLayoutTexture(&half[i]->texture, context, call, layout);
  }
  if (status)
    clDoubleVectorDestroy(x);
  else
    *out = x;
  return status;
}

clStatus txDoubleVectorClear(clDoubleVector *x, const char *call) {
  clStatus status = txTextureClear(x->high.texture, call);
  return status ? status : txTextureClear(x->low.texture, call);
}

clStatus txDoubleVectorCreate(clDoubleVector **out, clContext *context, const char *call,
                              const txLayout *layout) {
  clDoubleVector *x = NULL;
  clStatus status = txDoubleVectorReserve(&x, context, call, layout);
  if (!status)
    status = txDoubleVectorClear(x, call);
  if (status)
    clDoubleVectorDestroy(x);
  else
    *out = x;
  return status;
}

/* With the layout of a vector that was created for it, so that the checks are those of clVector;
 * destroys that. */
static clStatus createLike(clDoubleVector **out, const char *call, clStatus status, clVector *x) {
  if (!status && !out)
    status = txFail(txContextError(x->context), TEXLA_BAD_ARGUMENT, call, "out must not be NULL");
  if (!status)
    status = txDoubleVectorCreate(out, x->context, call, &x->layout);
  clVectorDestroy(x);
  return status;
}

clStatus clDoubleVectorCreate(clDoubleVector **out, clContext *context, int64_t length) {
  clVector *x = NULL;
  clStatus status = clVectorCreate(&x, context, length);
  return createLike(out, "clDoubleVectorCreate", status, x);
}

clStatus clDoubleVectorCreateGrid(clDoubleVector **out, clContext *context, int nx, int ny) {
  clVector *x = NULL;
  clStatus status = clVectorCreateGrid(&x, context, nx, ny);
  return createLike(out, "clDoubleVectorCreateGrid", status, x);
}

clStatus clDoubleVectorCreateLike(clDoubleVector **out, const clVector *x) {
  static const char call[] = "clDoubleVectorCreateLike";
  if (!out || !x)
    return txFail(x ? txContextError(x->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "out and x must not be NULL");
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
  /* (hi, lo), instead of these */
  const float *pairs;
  /* of hi and lo, and of what they are together; NULL: 1 */
  const double *factor, *scale;
} halves;

static void split(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const halves *h = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    txDoubleSplit(h->in[i], &h->hi[i], &h->lo[i]);
}

static void join(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const halves *h = user;
  double a = h->factor[0], b = h->factor[1];
  (void)sum;
  for (int64_t i = first; i < last; i++)
    h->out[i] = (h->scale ? h->scale[i] : 1) * (a * (double)h->hi[i] + b * (double)h->lo[i]);
}

/* On the host: for rows that are longer than a texture is wide, with one element to a texel. */
static clStatus splitOnHost(clDoubleVector *x, const char *call, const double *values) {
  int64_t n = x->high.layout.length;
  float *hi =
      txAllocate(txContextError(x->high.context), call, (size_t)n, 2 * sizeof *hi, "a vector");
  if (!hi)
    return TEXLA_OUT_OF_MEMORY;
  txParallel(n, split, &(halves){.in = values, .hi = hi, .lo = hi + n}, NULL);
  clStatus status = clVectorUpload(&x->high, hi);
  if (!status)
    status = clVectorUpload(&x->low, hi + n);
  free(hi);
  return status;
}

/* *out <- the doubles' bits, one to a texel; all rows but a shorter last one lie in memory as in
 * the texture. */
static clStatus uploadBits(txTexture **out, clContext *context, const char *call,
                           const txLayout *layout, const double *values) {
  int64_t width = layout->length < layout->row ? layout->length : layout->row,
          whole = layout->length / width;
  clStatus status = txTextureCreate(out, context, call, TX_RG32I, (int)width, layout->height);
  if (!status)
    status = txTextureWrite(*out, call, (txRect){0, 0, (int)width, (int)whole}, values);
  if (!status && whole * width < layout->length)
    status = txTextureWrite(*out, call,
                            (txRect){0, (int)whole, (int)(layout->length - whole * width), 1},
                            values + whole * width);
  return status;
}

clStatus clDoubleVectorUpload(clDoubleVector *x, const double *values) {
  static const char call[] = "clDoubleVectorUpload";
  if (!x || !values)
    return txFail(x ? txContextError(x->high.context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "x and values must not be NULL");
  clContext *context = x->high.context;
  const uint64_t order = 1;
  if (x->high.layout.row > clContextInspect(context)->max_texture_size ||
      !*(const unsigned char *)&order)
    return splitOnHost(x, call, values);
  txTexture *bits = NULL;
  clStatus status = uploadBits(&bits, context, call, &x->high.layout, values);
  txPass pass = {.kernel = "double_split", .source = {{"bits", bits, TX_EDGE}}};
  if (!status)
    status = txVectorsRun(call, &pass, (clVector *const[]){&x->high, &x->low}, 2);
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
  clStatus status = clVectorDownload(high, hi);
  if (!status)
    status = clVectorDownload(low, hi + n);
  h->hi = hi;
  h->lo = hi + n;
  if (!status)
    txParallel(n, join, h, NULL);
  free(hi);
  return status;
}

static clStatus unpack(txTexture **out, const char *call, const clVector *high,
                       const clVector *low) {
  const txLayout *layout = &high->layout;
  int64_t width = layout->length < layout->row ? layout->length : layout->row;
  txTexture *target = NULL;
  clStatus status =
      txTextureCreate(&target, high->context, call, TX_RG32F, (int)width, layout->height);
  txPass pass = {
      .kernel = "double_unpack",
      .target = {target},
      .source = {{"x", high->texture, TX_EDGE}, {"x_low", low->texture, TX_EDGE}},
      .uniform = {{"span", 1, {(float)width / (4 * (float)high->texture->width)}, NULL, false}}};
  if (!status)
    status = txPassRun(high->context, call, &pass);
  if (status)
    txTextureDestroy(target);
  else
    *out = target;
  return status;
}

clStatus txDoubleUnpack(txTexture **out, const char *call, const clDoubleVector *x) {
  return unpack(out, call, &x->high, &x->low);
}

/* Pairs of floats become doubles; those may be in the place of these. */
static void joinPairs(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const halves *h = user;
  double a = h->factor[0], b = h->factor[1];
  (void)sum;
  for (int64_t i = first; i < last; i++) {
    float pair[2];
    memcpy(pair, h->pairs + 2 * i, sizeof pair);
    h->out[i] = (h->scale ? h->scale[i] : 1) * (a * (double)pair[0] + b * (double)pair[1]);
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
  clStatus status = TEXLA_OUT_OF_MEMORY;
  if (txDownloadWorthWhile(pairs->context, (size_t)h->count * sizeof(double)))
    status = txTextureReadMapped(pairs, call, joinMapped, h);
  if (status != TEXLA_OUT_OF_MEMORY)
    return status;
  status = txTextureRead(pairs, call, (txRect){0, 0, width, whole}, h->out);
  if (!status && (int64_t)whole * width < h->count)
    status =
        txTextureRead(pairs, call, (txRect){0, whole, (int)(h->count - (int64_t)whole * width), 1},
                      h->out + (int64_t)whole * width);
  if (!status)
    joinMapped(h, h->out);
  return status;
}

clStatus txDoublePartsDownload(const char *call, const clVector *high, const clVector *low,
                               const double factor[2], const double *scale, double *values) {
  halves h = {.count = high->layout.length, .out = values, .factor = factor, .scale = scale};
  if (high->layout.row > clContextInspect(high->context)->max_texture_size)
    return joinOnHost(call, high, low, &h);
  txTexture *pairs = NULL;
  clStatus status = unpack(&pairs, call, high, low);
  if (!status)
    status = joinTexels(call, pairs, &h);
  txTextureDestroy(pairs);
  return status;
}

clStatus clDoubleVectorDownload(const clDoubleVector *x, double *values) {
  static const char call[] = "clDoubleVectorDownload";
  const double one[2] = {1, 1};
  if (!x || !values)
    return txFail(x ? txContextError(x->high.context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "x and values must not be NULL");
  return txDoublePartsDownload(call, &x->high, &x->low, one, NULL, values);
}
