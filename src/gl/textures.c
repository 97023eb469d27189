/* What textures hold: clearing, uploads, and read-backs that are waited for. They are made and
 * destroyed in pool.c. */
#include "gl/gl.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdlib.h>
#include <string.h>

size_t txRectBytes(const txTexture *texture, txRect rect) {
  return (size_t)rect.width * (size_t)rect.height * txGlFormatOf(texture)->bytes;
}

clStatus txTextureClear(txTexture *texture, const char *call) {
  clContext *context = texture->context;
  TRY(txContextEnter(context, call));
  txGlState state;
  txGlSave(context, &state);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txFramebufferBind(context, call, &(txAttachment){texture, 0}, 1));
  txTextureChanged(texture);
  if (txGlFormatOf(texture)->type == GL_INT)
    glClearBufferiv(GL_COLOR, 0, (const GLint[4]){0});
  else
    glClearBufferfv(GL_COLOR, 0, (const GLfloat[4]){0});
  TRY_CLEANUP(txGlCheckLater(context, call, "clearing a texture"));
cleanup:
  txGlRestore(context, &state);
  return status;
}

clStatus txTextureWrite(txTexture *texture, const char *call, txRect rect, const void *values) {
  clContext *context = texture->context;
  TRY(txContextEnter(context, call));
  txGlState state;
  txGlSave(context, &state);
  txTextureBind(context, texture);
  GLenum format = txGlFormatOf(texture)->format, type = txGlFormatOf(texture)->type;
  size_t bytes = txGlFormatOf(texture)->bytes;
  bool by_buffer = txUploadWorthWhile(context, txRectBytes(texture, rect)) &&
                   !txUpload(context, call, rect, format, type, bytes, values);
  if (!by_buffer)
    glTexSubImage2D(GL_TEXTURE_2D, 0, rect.x, rect.y, rect.width, rect.height, format, type,
                    values);
  context->counters.uploads++;
  txTextureChanged(texture);
  clStatus status = txGlCheckLater(context, call, "uploading");
  txGlRestore(context, &state);
  return status;
}

/* OpenGL ES promises reads of four components alone. */
size_t txReadBytes(const txTexture *texture) {
  if (texture->context->es)
    return 4 * sizeof(GLfloat);
  return txGlFormatOf(texture)->bytes;
}

void txReadNarrow(char *values, size_t narrow, const char *texels, size_t wide, size_t count) {
  for (size_t i = 0; i < count; i++)
    memcpy(values + i * narrow, texels + i * wide, narrow);
}

static void readPixels(const txTexture *texture, txRect rect, void *values) {
  const txGlFormat *f = txGlFormatOf(texture);
  GLenum format = f->format;
  if (texture->context->es && f->type == GL_INT)
    format = GL_RGBA_INTEGER;
  else if (texture->context->es)
    format = GL_RGBA;
  glReadPixels(rect.x, rect.y, rect.width, rect.height, format, f->type, values);
}

/* Of each texel that is read the first components are what the texture has. */
static clStatus readWide(const txTexture *texture, const char *call, txRect rect, void *values) {
  size_t narrow = txGlFormatOf(texture)->bytes, wide = txReadBytes(texture);
  size_t count = (size_t)rect.width * (size_t)rect.height;
  char *texels = txAllocate(&texture->context->error, call, count, wide, "a read-back");
  if (!texels)
    return TEXLA_OUT_OF_MEMORY;
  /* What a driver that drops reads leaves (canary.c). */
  memcpy(texels, values, narrow);
  readPixels(texture, rect, texels);
  txReadNarrow(values, narrow, texels, wide, count);
  free(texels);
  return TEXLA_OK;
}

clStatus txReadPixels(const txTexture *texture, int layer, const char *call, txRect rect,
                      void *values) {
  TRY(txFramebufferBind(texture->context, call, &(txAttachment){texture, layer}, 1));
  if (values && txReadBytes(texture) > txGlFormatOf(texture)->bytes)
    TRY(readWide(texture, call, rect, values));
  else
    readPixels(texture, rect, values);
  texture->context->counters.readbacks++;
  return txGlCheckLater(texture->context, call, "reading back");
}

clStatus txTextureRead(const txTexture *texture, const char *call, txRect rect, void *values) {
  return txLayerRead(texture, 0, call, rect, values);
}

/* Reads, with the canary's texel where it is due. */
static clStatus readChecked(const txTexture *texture, int layer, const char *call, txRect rect,
                            void *values) {
  clContext *context = texture->context;
  TRY(txReadPixels(texture, layer, call, rect, values));
  if (txCanaryDue(context, txRectBytes(texture, rect)))
    TRY(txCanaryAsk(context, call));
  return TEXLA_OK;
}

clStatus txLayerRead(const txTexture *texture, int layer, const char *call, txRect rect,
                     void *values) {
  clContext *context = texture->context;
  TRY(txContextEnter(context, call));
  if (context->rehearsal) {
    memset(values, 0, txRectBytes(texture, rect));
    return TEXLA_OK;
  }
  txGlState state;
  txGlSave(context, &state);
  uint32_t before = txCanaryMark(values);
  clStatus status = readChecked(texture, layer, call, rect, values);
  status = txCanaryLook(context, call, values, before, status);
  txGlRestore(context, &state);
  return status;
}
