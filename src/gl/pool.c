/* Textures and their pool: a destroyed texture waits for the next request of the same shape. */
#include "gl/gl.h"
#include "gl/platform.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdlib.h>

static const txGlFormat formats[TX_FORMAT_COUNT] = {
    [TX_R32F] = {GL_R32F, GL_RED, GL_FLOAT, 4},
    [TX_RG32F] = {GL_RG32F, GL_RG, GL_FLOAT, 8},
    [TX_RGBA32F] = {GL_RGBA32F, GL_RGBA, GL_FLOAT, 16},
    [TX_R32I] = {GL_R32I, GL_RED_INTEGER, GL_INT, 4},
    [TX_RGBA32I] = {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 16},
    [TX_RG32I] = {GL_RG32I, GL_RG_INTEGER, GL_INT, 8},
};

const txGlFormat *txGlFormatOf(const txTexture *texture) {
  return &formats[texture->format];
}

size_t txFormatBytes(txFormat format) {
  return formats[format].bytes;
}

size_t txTextureBytes(const txTexture *t) {
  return (size_t)t->layers * (size_t)t->width * (size_t)t->height * formats[t->format].bytes;
}

static txTexture *takeFromPool(clContext *context, txFormat format, int width, int height,
                               int layers) {
  for (txTexture **at = &context->pool; *at; at = &(*at)->next) {
    txTexture *t = *at;
    if (t->format == format && t->width == width && t->height == height && t->layers == layers) {
      *at = t->next;
      context->counters.bytes_pooled -= txTextureBytes(t);
      return t;
    }
  }
  return NULL;
}

static void putIntoPool(txTexture *t) {
  t->next = t->context->pool;
  t->context->pool = t;
  t->context->counters.bytes_pooled += txTextureBytes(t);
}

static void deleteTexture(txTexture *t) {
  if (!t->context->closed) {
    txFramebufferForget(t->context, t->name);
    txTextureUnbind(t->context, t->name);
    glDeleteTextures(1, &t->name);
  }
  free(t);
}

/* Deletes the textures that were freed longest ago, so that at most keep_bytes are left. */
void txPoolTrim(clContext *context, size_t keep_bytes) {
  size_t kept = 0;
  for (txTexture **at = &context->pool; *at;) {
    txTexture *t = *at;
    if (kept + txTextureBytes(t) <= keep_bytes) {
      kept += txTextureBytes(t);
      at = &t->next;
    } else {
      *at = t->next;
      deleteTexture(t);
    }
  }
  context->counters.bytes_pooled = kept;
}

/* Textures in the pool do not count as used, but make room where it is needed. */
clStatus txMemoryTake(clContext *context, const char *call, size_t bytes) {
  clContextCounters *count = &context->counters;
  size_t limit = context->info.memory_limit;
  if (bytes > limit - count->bytes_used)
    return txFail(&context->error, TEXLA_OUT_OF_MEMORY, call,
                  "needs %zu more bytes on the device, but %zu of %zu are in use", bytes,
                  count->bytes_used, limit);
  count->bytes_used += bytes;
  if (count->bytes_used > count->bytes_peak)
    count->bytes_peak = count->bytes_used;
  if (count->bytes_pooled > limit - count->bytes_used)
    txPoolTrim(context, limit - count->bytes_used);
  return TEXLA_OK;
}

void txMemoryGive(clContext *context, size_t bytes) {
  context->counters.bytes_used -= bytes;
}

static clStatus poolCheckSize(clContext *context, const char *call, int width, int height) {
  int limit = context->info.max_texture_size;
  if (width < 1 || height < 1)
    return txFail(&context->error, TEXLA_BAD_ARGUMENT, call, "a texture of %d x %d texels is empty",
                  width, height);
  if (width > limit || height > limit)
    return txFail(&context->error, TEXLA_TOO_LARGE, call,
                  "needs a texture of %d x %d texels, but the device's limit is %d x %d", width,
                  height, limit, limit);
  return TEXLA_OK;
}

/* Storage for all layers, with undefined contents. */
static clStatus poolAllocate(txTexture *t, const char *call) {
  GLenum target = txTextureTarget(t), format = formats[t->format].format,
         type = formats[t->format].type;
  GLint internal = formats[t->format].internal;
  txGlState state;
  txGlSave(t->context, &state);
  glGenTextures(1, &t->name);
  txTextureBind(t->context, t);
  glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, 0);
  if (t->layers > 1)
    glTexImage3D(target, 0, internal, t->width, t->height, t->layers, 0, format, type, NULL);
  else
    glTexImage2D(target, 0, internal, t->width, t->height, 0, format, type, NULL);
  clStatus status = txGlCheck(t->context, call, "creating a texture");
  txGlRestore(t->context, &state);
  return status;
}

static clStatus poolNewTexture(txTexture **out, clContext *context, const char *call,
                               txFormat format, int width, int height, int layers) {
  txTexture *t = txAllocate(&context->error, call, 1, sizeof *t, "a texture");
  if (!t)
    return TEXLA_OUT_OF_MEMORY;
  *t = (txTexture){
      .context = context, .format = format, .width = width, .height = height, .layers = layers};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(poolAllocate(t, call));
  *out = t;
  return TEXLA_OK;
cleanup:
  deleteTexture(t);
  return status;
}

/* The texture of the pool that is to be used again is taken out first, so that making room for its
 * bytes does not delete it. */
clStatus txLayersCreate(txTexture **out, clContext *context, const char *call, txFormat format,
                        int width, int height, int layers) {
  TRY(txContextEnter(context, call));
  TRY(poolCheckSize(context, call, width, height));
  size_t bytes = (size_t)layers * (size_t)width * (size_t)height * formats[format].bytes;
  txTexture *t = takeFromPool(context, format, width, height, layers);
  clStatus status = txMemoryTake(context, call, bytes);
  if (status) {
    if (t)
      putIntoPool(t);
    return status;
  }
  if (!t)
    TRY_CLEANUP(poolNewTexture(&t, context, call, format, width, height, layers));
  txContextRetain(context);
  t->meaning = (txMeaning){0};
  txTextureChanged(t);
  *out = t;
  return TEXLA_OK;
cleanup:
  txMemoryGive(context, bytes);
  return status;
}

clStatus txTextureCreate(txTexture **out, clContext *context, const char *call, txFormat format,
                         int width, int height) {
  return txLayersCreate(out, context, call, format, width, height, 1);
}

void txTextureChanged(const txTexture *texture) {
  ((txTexture *)texture)->version = ++texture->context->versions;
}

/* What the pool may keep: twice as much as was ever in use at once (what is repeated does not use
 * all its textures at once, and a new one of 32 MB takes a graphics card's driver 10 ms), but no
 * more than a quarter of the limit. Eliminations free textures of ever new shapes, which nobody
 * takes again. */
static size_t poolLimit(const clContext *context) {
  const size_t always = (size_t)64 << 20, quarter = context->info.memory_limit / 4;
  size_t keep = 2 * context->counters.bytes_peak;
  if (keep < always)
    keep = always;
  return keep < quarter ? keep : quarter;
}

/* Where the OpenGL context is out of reach (adopted, and not current) the pool is trimmed another
 * time. */
void txTextureDestroy(txTexture *texture) {
  if (!texture)
    return;
  clContext *context = texture->context;
  size_t keep = poolLimit(context);
  txMemoryGive(context, txTextureBytes(texture));
  if (context->closed)
    free(texture);
  else
    putIntoPool(texture);
  if (!context->closed && context->counters.bytes_pooled > keep &&
      txPlatformEnter(context->platform))
    txPoolTrim(context, keep);
  txContextRelease(context);
}

clStatus txTextureReplace(txTexture **texture, txTexture *rendered, clStatus status) {
  if (!status)
    txTextureExchange(texture, &rendered);
  txTextureDestroy(rendered);
  return status;
}

void txTextureExchange(txTexture **a, txTexture **b) {
  txTexture *t = *a;
  *a = *b;
  *b = t;
}
