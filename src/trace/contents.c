/* What textures hold: read back, measured, and written as base64 of their numbers, or of every n-th
 * texel of a large one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

static const char call[] = "clTrace";

static const struct {
  const char *name;
  int channels;
  bool integer;
} formats[TX_FORMAT_COUNT] = {
    [TX_R32F] = {"r32f", 1, false},       [TX_RG32F] = {"rg32f", 2, false},
    [TX_RGBA32F] = {"rgba32f", 4, false}, [TX_R32I] = {"r32i", 1, true},
    [TX_RGBA32I] = {"rgba32i", 4, true},  [TX_RG32I] = {"rg32i", 2, true}};

/* What the page tells of a texture's numbers: least, most, sum and number of the finite ones, how
 * many are something else or zero, and a histogram from the least to the most. */
enum { BINS = 32 };
typedef struct measures {
  double least, most, sum;
  int64_t count, nan, inf, zero;
  int64_t bin[BINS];
} measures;

/* Calls `tell` with every number that belongs to the object; what only fills texels would distort
 * its least and most values. */
static void contentsVisit(const txTraceImage *m, measures *s,
                          void (*tell)(measures *s, double value)) {
  size_t i = 0;
  for (int layer = 0; layer < m->texture->layers; layer++)
    for (int y = 0; y < m->texture->height; y++)
      for (int x = 0; x < m->texture->width; x++)
        for (int lane = 0; lane < m->channels; lane++, i++)
          if (txTraceHolds(m->texture, x, y, lane))
            tell(s, txTraceValue(m, i));
}

/* NaN and infinities are counted apart, as they would spoil the sum and the scale of colours. */
static void addValue(measures *s, double v) {
  if (isnan(v)) {
    s->nan++;
  } else if (isinf(v)) {
    s->inf++;
  } else {
    s->least = fmin(s->least, v);
    s->most = fmax(s->most, v);
    s->sum += v;
    s->zero += v == 0;
    s->count++;
  }
}

/* The second visit, when least and most are known. */
static void addToBin(measures *s, double v) {
  if (!isfinite(v))
    return;
  double place = 0;
  if (s->most > s->least)
    place = (v - s->least) / (s->most - s->least) * BINS;
  if (place >= BINS)
    place = BINS - 1;
  s->bin[(int)place]++;
}

/* Without finite numbers there is nothing to measure. */
static void writeMeasures(txJson *json, const measures *s) {
  txJsonInteger(json, "count", s->count);
  txJsonInteger(json, "zero", s->zero);
  if (s->nan)
    txJsonInteger(json, "nan", s->nan);
  if (s->inf)
    txJsonInteger(json, "inf", s->inf);
  if (!s->count)
    return;
  txJsonNumber(json, "min", s->least);
  txJsonNumber(json, "max", s->most);
  txJsonNumber(json, "mean", s->sum / (double)s->count);
  txJsonArray(json, "bins");
  for (int i = 0; i < BINS; i++)
    txJsonInteger(json, NULL, s->bin[i]);
  txJsonClose(json);
}

/* How the page shows the numbers: as a vector, a dense matrix, ... (gl/texture.h). */
static void writeMeaning(txJson *json, const txMeaning *meaning) {
  if (!meaning->kind)
    return;
  txJsonString(json, "kind", meaning->kind);
  txJsonArray(json, "size");
  for (int i = 0; i < 5; i++)
    txJsonInteger(json, NULL, meaning->size[i]);
  txJsonClose(json);
  if (!meaning->parts)
    return;
  txJsonArray(json, "parts");
  for (int i = 0; i < 5 * meaning->parts; i++)
    txJsonInteger(json, NULL, meaning->part[i]);
  txJsonClose(json);
}

/* The texels of `part`, every `stride`-th of each row and column, packed to the front of values. */
static size_t contentsPack(const txTraceImage *m, txRect part, int stride) {
  size_t bytes = (size_t)m->channels * 4, to = 0, from;
  char *values = m->values;
  for (int layer = 0; layer < m->texture->layers; layer++)
    for (int y = part.y; y < part.y + part.height; y += stride)
      for (int x = part.x; x < part.x + part.width; x += stride, to++) {
        from =
            ((size_t)layer * (size_t)m->texture->height + (size_t)y) * (size_t)m->texture->width +
            (size_t)x;
        memmove(values + to * bytes, values + from * bytes, bytes);
      }
  return to * bytes;
}

/* The smallest step over rows and columns with which few enough texels are stored; of a texture
 * with more layers than that, one texel a layer. */
static int strideOf(const txTrace *t, const txTexture *texture) {
  for (int stride = 1;; stride++) {
    int64_t columns = (texture->width + stride - 1) / stride,
            rows = (texture->height + stride - 1) / stride;
    if (columns * rows == 1 || columns * rows * texture->layers <= t->choice.texels)
      return stride;
  }
}

/* Two visits, as the histogram lies between the least and the most. */
static measures contentsMeasure(const txTraceImage *m) {
  measures s = {.least = INFINITY, .most = -INFINITY};
  contentsVisit(m, &s, addValue);
  if (!s.count) {
    s.least = 0;
    s.most = 0;
  }
  contentsVisit(m, &s, addToBin);
  return s;
}

/* A content that is stored in part, as every n-th texel, is no base for others and has none. */
static int64_t writeContent(txTrace *t, txTraceImage *m, txRect rect, int64_t base, int64_t pass) {
  const txTexture *texture = m->texture;
  txRect all = {0, 0, texture->width, texture->height};
  measures s = contentsMeasure(m);
  m->least = s.least;
  m->most = s.most;
  if (t->choice.pictures && pass >= 0)
    txTracePicture(t, m, pass);
  int stride = strideOf(t, texture);
  if (stride > 1 || base < 0) {
    rect = all;
    base = -1;
  }
  txJson json;
  txTraceBegin(&t->contents, &json);
  txJsonInteger(&json, "texture", texture->name);
  txJsonInteger(&json, "pass", pass);
  txJsonString(&json, "format", formats[texture->format].name);
  txJsonInteger(&json, "channels", m->channels);
  txJsonInteger(&json, "width", texture->width);
  txJsonInteger(&json, "height", texture->height);
  txJsonInteger(&json, "layers", texture->layers);
  writeMeaning(&json, &texture->meaning);
  writeMeasures(&json, &s);
  if (base >= 0)
    txJsonInteger(&json, "base", base);
  txTraceRect(&json, rect);
  txJsonInteger(&json, "stride", stride);
  txTraceBase64(&json, "values", m->values, contentsPack(m, rect, stride));
  return txTraceEnd(&t->contents, &json);
}

/* False with values where reading failed, without them where memory ended. */
static bool readAll(txTraceImage *m, const txTexture *texture) {
  *m = (txTraceImage){.texture = texture,
                      .channels = formats[texture->format].channels,
                      .integer = formats[texture->format].integer};
  size_t layer = (size_t)texture->width * (size_t)texture->height,
         bytes = layer * txFormatBytes(texture->format);
  m->values = malloc(bytes * (size_t)texture->layers);
  for (int i = 0; m->values && i < texture->layers; i++)
    if (txLayerRead(texture, i, call, (txRect){0, 0, texture->width, texture->height},
                    (char *)m->values + (size_t)i * bytes))
      return false;
  return m->values != NULL;
}

/* What a texture holds is known by its version, so each content is read and written once. */
int64_t txTraceContent(txTrace *t, const txTexture *texture, txRect rect, int64_t base,
                       int64_t pass) {
  int64_t known = txTableFind(&t->content, (uint64_t)texture->version);
  if (known >= 0)
    return known;
  txTraceImage m;
  int64_t place = -1;
  if (readAll(&m, texture)) {
    place = writeContent(t, &m, rect, base, pass);
    t->no_memory = !txTablePut(&t->content, (uint64_t)texture->version, place);
  } else {
    t->no_memory = !m.values;
  }
  free(m.values);
  return place;
}
