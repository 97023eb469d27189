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

bool txTraceHolds(const txTexture *t, int x, int y, int lane) {
  const int64_t *size = t->meaning.size;
  const char *kind = t->meaning.kind ? t->meaning.kind : "";
  if (!strcmp(kind, "vector") || !strcmp(kind, "diagonal"))
    return 4 * (int64_t)x + lane < size[1] && y * size[1] + 4 * (int64_t)x + lane < size[0];
  if (!strcmp(kind, "values") || !strcmp(kind, "positions") || !strcmp(kind, "ranges"))
    return ((int64_t)y << size[1]) + x < size[0];
  if (!strcmp(kind, "multivector") || !strcmp(kind, "unpacked"))
    return x < size[1] && y * size[1] + x < size[0];
  if (!strcmp(kind, "dense"))
    return y * size[2] + lane / size[3] < size[0] && x * size[3] + lane % size[3] < size[1];
  return true;
}

enum { BINS = 32 };
typedef struct Measures {
  double least, most, sum;
  /* count: finite ones */
  int64_t count, nan, inf, zero;
  int64_t bin[BINS];
} Measures;

double txTraceValue(const txTraceImage *m, size_t i) {
  return m->integer ? (double)((const int32_t *)m->values)[i]
                    : (double)((const float *)m->values)[i];
}

/* Calls `tell` with every number that is one. */
static void visit(const txTraceImage *m, Measures *s, void (*tell)(Measures *s, double value)) {
  size_t i = 0;
  for (int layer = 0; layer < m->texture->layers; layer++)
    for (int y = 0; y < m->texture->height; y++)
      for (int x = 0; x < m->texture->width; x++)
        for (int lane = 0; lane < m->channels; lane++, i++)
          if (txTraceHolds(m->texture, x, y, lane))
            tell(s, txTraceValue(m, i));
}

static void addValue(Measures *s, double v) {
  if (isnan(v)) {
    s->nan++;
  } else if (isinf(v)) {
    s->inf++;
  } else {
    s->least = s->count ? fmin(s->least, v) : v;
    s->most = s->count ? fmax(s->most, v) : v;
    s->sum += v;
    s->zero += v == 0;
    s->count++;
  }
}

static void addToBin(Measures *s, double v) {
  if (!isfinite(v))
    return;
  double place = s->most > s->least ? (v - s->least) / (s->most - s->least) * BINS : 0;
  s->bin[place < BINS ? (int)place : BINS - 1]++;
}

static void writeMeasures(txJson *json, const Measures *s) {
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

void txTraceBase64(txJson *json, const char *key, const void *bytes, size_t count) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *b = bytes;
  fprintf(json->file, ",\"%s\":\"", key);
  for (size_t i = 0; i < count; i += 3) {
    size_t n = count - i < 3 ? count - i : 3;
    uint32_t v =
        (uint32_t)b[i] << 16 | (n > 1 ? (uint32_t)b[i + 1] << 8 : 0) | (n > 2 ? b[i + 2] : 0);
    char four[4] = {digit[v >> 18], digit[v >> 12 & 63], n > 1 ? digit[v >> 6 & 63] : '=',
                    n > 2 ? digit[v & 63] : '='};
    fwrite(four, 1, 4, json->file);
  }
  putc('"', json->file);
}

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
static size_t pack(const txTraceImage *m, txRect part, int stride) {
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

static int64_t writeContent(txTrace *t, txTraceImage *m, txRect rect, int64_t base, int64_t pass) {
  const txTexture *texture = m->texture;
  txRect all = {0, 0, texture->width, texture->height};
  Measures s = {0};
  visit(m, &s, addValue);
  visit(m, &s, addToBin);
  m->least = s.least;
  m->most = s.most;
  if (t->choice.pictures && pass >= 0)
    txTracePicture(t, m, pass);
  int stride = 1;
  while ((int64_t)((all.width + stride - 1) / stride) * ((all.height + stride - 1) / stride) *
             texture->layers >
         t->choice.texels)
    stride++;
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
  txJsonArray(&json, "rect");
  for (int i = 0; i < 4; i++)
    txJsonInteger(&json, NULL, (const int[]){rect.x, rect.y, rect.width, rect.height}[i]);
  txJsonClose(&json);
  txJsonInteger(&json, "stride", stride);
  txTraceBase64(&json, "values", m->values, pack(m, rect, stride));
  return txTraceEnd(&t->contents, &json);
}

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
