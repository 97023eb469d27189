/* Textures and their pool: a destroyed texture waits for the next request of the same shape. */
#include "gl/gl.h"
#include "core/allocate.h"

#include <stdlib.h>

static const struct {
  GLint internal;
  GLenum format, type;
  size_t bytes;
} formats[TX_FORMAT_COUNT] = {
    [TX_R32F] = {GL_R32F, GL_RED, GL_FLOAT, 4},
    [TX_RG32F] = {GL_RG32F, GL_RG, GL_FLOAT, 8},
    [TX_RGBA32F] = {GL_RGBA32F, GL_RGBA, GL_FLOAT, 16},
    [TX_R32I] = {GL_R32I, GL_RED_INTEGER, GL_INT, 4},
    [TX_RGBA32I] = {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 16},
    [TX_RG32I] = {GL_RG32I, GL_RG_INTEGER, GL_INT, 8},
};

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

static clStatus checkSize(clContext *context, const char *call, int width, int height) {
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

GLenum txTextureTarget(const txTexture *t) {
  return t->layers > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
}

static clStatus allocate(txTexture *t, const char *call) {
  GLenum target = txTextureTarget(t), format = formats[t->format].format,
         type = formats[t->format].type;
  GLint internal = formats[t->format].internal;
  txGlState state;
  txGlSave(t->context, &state);
  glGenTextures(1, &t->name);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(target, t->name);
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

static clStatus newTexture(txTexture **out, clContext *context, const char *call, txFormat format,
                           int width, int height, int layers) {
  txTexture *t = txAllocate(&context->error, call, 1, sizeof *t, "a texture");
  if (!t)
    return TEXLA_OUT_OF_MEMORY;
  *t = (txTexture){
      .context = context, .format = format, .width = width, .height = height, .layers = layers};
  clStatus status = allocate(t, call);
  if (status)
    deleteTexture(t);
  else
    *out = t;
  return status;
}

clStatus txLayersCreate(txTexture **out, clContext *context, const char *call, txFormat format,
                        int width, int height, int layers) {
  clStatus status = txContextEnter(context, call);
  if (!status)
    status = checkSize(context, call, width, height);
  if (status)
    return status;
  size_t bytes = (size_t)layers * (size_t)width * (size_t)height * formats[format].bytes;
  txTexture *t = takeFromPool(context, format, width, height, layers);
  status = txMemoryTake(context, call, bytes);
  if (status) {
    if (t)
      putIntoPool(t);
    return status;
  }
  if (!t)
    status = newTexture(&t, context, call, format, width, height, layers);
  if (status) {
    txMemoryGive(context, bytes);
    return status;
  }
  txContextRetain(context);
  t->meaning = (txMeaning){0};
  txTextureChanged(t);
  *out = t;
  return TEXLA_OK;
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
  size_t twice = 2 * context->counters.bytes_peak, keep = twice > always ? twice : always;
  return keep < quarter ? keep : quarter;
}

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

clStatus txTextureClear(txTexture *texture, const char *call) {
  clContext *context = texture->context;
  clStatus status = txContextEnter(context, call);
  if (status)
    return status;
  txGlState state;
  txGlSave(context, &state);
  status = txFramebufferBind(context, call, &(txAttachment){texture, 0}, 1);
  txTextureChanged(texture);
  if (!status) {
    if (formats[texture->format].type == GL_INT)
      glClearBufferiv(GL_COLOR, 0, (const GLint[4]){0});
    else
      glClearBufferfv(GL_COLOR, 0, (const GLfloat[4]){0});
    status = txGlCheck(context, call, "clearing a texture");
  }
  txGlRestore(context, &state);
  return status;
}

clStatus txTextureWrite(txTexture *texture, const char *call, txRect rect, const void *values) {
  clContext *context = texture->context;
  clStatus status = txContextEnter(context, call);
  if (status)
    return status;
  txGlState state;
  txGlSave(context, &state);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture->name);
  GLenum format = formats[texture->format].format, type = formats[texture->format].type;
  size_t bytes = formats[texture->format].bytes;
  bool by_buffer = txUploadWorthWhile(context, bytes * (size_t)rect.width * (size_t)rect.height) &&
                   !txUpload(context, call, rect, format, type, bytes, values);
  if (!by_buffer)
    glTexSubImage2D(GL_TEXTURE_2D, 0, rect.x, rect.y, rect.width, rect.height, format, type,
                    values);
  context->counters.uploads++;
  txTextureChanged(texture);
  status = txGlCheck(context, call, "uploading");
  txGlRestore(context, &state);
  return status;
}

clStatus txReadPixels(const txTexture *texture, int layer, const char *call, txRect rect,
                      void *values) {
  clStatus status = txFramebufferBind(texture->context, call, &(txAttachment){texture, layer}, 1);
  if (status)
    return status;
  glReadPixels(rect.x, rect.y, rect.width, rect.height, formats[texture->format].format,
               formats[texture->format].type, values);
  texture->context->counters.readbacks++;
  return txGlCheck(texture->context, call, "reading back");
}

static size_t rectBytes(const txTexture *texture, txRect rect) {
  return (size_t)rect.width * (size_t)rect.height * formats[texture->format].bytes;
}

clStatus txTextureRead(const txTexture *texture, const char *call, txRect rect, void *values) {
  return txLayerRead(texture, 0, call, rect, values);
}

clStatus txLayerRead(const txTexture *texture, int layer, const char *call, txRect rect,
                     void *values) {
  clContext *context = texture->context;
  clStatus status = txContextEnter(context, call);
  if (status)
    return status;
  txGlState state;
  txGlSave(context, &state);
  uint32_t before = txCanaryMark(values);
  status = txReadPixels(texture, layer, call, rect, values);
  if (!status && txCanaryDue(context, rectBytes(texture, rect)))
    status = txCanaryAsk(context, call);
  status = txCanaryLook(context, call, values, before, status);
  txGlRestore(context, &state);
  return status;
}

struct txRead {
  clContext *context;
  /* the values, and room for the canary's texel */
  GLuint buffer;
  GLsync fence;
  /* of the values */
  size_t bytes;
  /* that the texel should have; 0: there is none */
  int serial;
};

enum { CANARY_BYTES = 4 * sizeof(GLfloat) };

/* All that is read, into the read's new buffer. */
static clStatus fillBuffer(txRead *read, const txTexture *texture, const char *call, txRect rect) {
  clContext *context = read->context;
  uint32_t mark;
  txCanaryMark(&mark);
  glGenBuffers(1, &read->buffer);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, read->buffer);
  glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)(read->bytes + CANARY_BYTES), NULL,
               GL_STREAM_READ);
  glBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof mark, &mark);
  clStatus status = txReadPixels(texture, 0, call, rect, NULL);
  if (!status && txCanaryDue(context, read->bytes)) {
    status = txCanaryRender(context, call);
    if (!status)
      glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, (void *)read->bytes);
    if (!status)
      status = txGlCheck(context, call, "reading back");
    read->serial = context->canary.serial;
  }
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  return status;
}

clStatus txReadStart(txRead **out, const txTexture *texture, const char *call, txRect rect) {
  clContext *context = texture->context;
  clStatus status = txContextEnter(context, call);
  if (status)
    return status;
  txRead *read = txAllocate(&context->error, call, 1, sizeof *read, "a read-back");
  if (!read)
    return TEXLA_OUT_OF_MEMORY;
  *read = (txRead){.context = context, .bytes = rectBytes(texture, rect)};
  status = txMemoryTake(context, call, read->bytes + CANARY_BYTES);
  if (status) {
    free(read);
    return status;
  }
  txGlState state;
  txGlSave(context, &state);
  status = fillBuffer(read, texture, call, rect);
  txGlRestore(context, &state);
  if (status) {
    glDeleteBuffers(1, &read->buffer);
    txMemoryGive(context, read->bytes + CANARY_BYTES);
    free(read);
    return status;
  }
  read->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  /* otherwise nobody may ever signal the fence */
  glFlush();
  txContextRetain(context);
  *out = read;
  return TEXLA_OK;
}

bool txReadReady(const txRead *read) {
  /* Finish will say what is wrong */
  if (txContextEnter(read->context, "clReadReady"))
    return true;
  return glClientWaitSync(read->fence, 0, 0) != GL_TIMEOUT_EXPIRED;
}

static clStatus copyOut(txRead *read, const char *call, void *values) {
  clContext *context = read->context;
  float canary[4] = {0};
  while (glClientWaitSync(read->fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000) ==
         GL_TIMEOUT_EXPIRED)
    ;
  txGlState state;
  txGlSave(context, &state);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, read->buffer);
  uint32_t before = txCanaryMark(values);
  glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)read->bytes, values);
  if (read->serial)
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, (GLintptr)read->bytes, CANARY_BYTES, canary);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  clStatus status = txGlCheck(context, call, "reading back");
  if (!status && read->serial)
    status = txCanaryCheck(context, call, canary, read->serial);
  status = txCanaryLook(context, call, values, before, status);
  txGlRestore(context, &state);
  return status;
}

clStatus txReadFinish(txRead *read, const char *call, void *values) {
  if (!read)
    return TEXLA_OK;
  clContext *context = read->context;
  clStatus status = txContextEnter(context, call);
  if (!status) {
    if (values)
      status = copyOut(read, call, values);
    glDeleteSync(read->fence);
    glDeleteBuffers(1, &read->buffer);
  }
  txMemoryGive(context, read->bytes + CANARY_BYTES);
  free(read);
  txContextRelease(context);
  return status;
}
