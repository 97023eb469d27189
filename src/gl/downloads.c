/* Large read-backs from a graphics card: into a buffer of which the driver lends the memory, so
 * that whoever wants the texels can take them with several threads, and into another form, where a
 * copy by the driver would take one thread twice as long. */
#include "gl/gl.h"
#include "core/try.h"

#include <string.h>

enum { WORTH = 1 << 20 /* bytes; less is read at once */ };

bool txDownloadWorthWhile(const clContext *context, size_t bytes) {
  return context->traits.upload_buffers && bytes >= WORTH;
}

/* The buffer that is kept, at least so large, bound. */
static clStatus bindBuffer(clContext *context, const char *call, size_t bytes) {
  txDownloads *d = &context->downloads;
  if (d->bytes < bytes) {
    txDownloadsDestroy(context);
    TRY(txMemoryTake(context, call, bytes));
    d->bytes = bytes;
    glGenBuffers(1, &d->buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, d->buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_READ);
  }
  glBindBuffer(GL_PIXEL_PACK_BUFFER, d->buffer);
  return txGlCheck(context, call, "creating a buffer for read-backs");
}

/* *same <- is the mark still where the first texel was to be? */
static clStatus takeMapped(clContext *context, const char *call, size_t bytes, txTake take,
                           void *user, uint32_t mark, bool *same) {
  const void *texels =
      glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
  if (!texels)
    return txFail(&context->error, TEXLA_DEVICE_ERROR, call,
                  "a buffer that was read into cannot be mapped");
  *same = !memcmp(texels, &mark, sizeof mark);
  take(user, texels);
  glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
  return txGlCheck(context, call, "reading back");
}

static clStatus readMapped(const txTexture *texture, const char *call, txTake take, void *user,
                           bool *same) {
  clContext *context = texture->context;
  size_t bytes = txTextureBytes(texture);
  uint32_t mark = 0;
  txCanaryMark(&mark);
  TRY(bindBuffer(context, call, bytes));
  glBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof mark, &mark);
  TRY(txReadPixels(texture, 0, call, (txRect){0, 0, texture->width, texture->height}, NULL));
  return takeMapped(context, call, bytes, take, user, mark, same);
}

clStatus txTextureReadMapped(const txTexture *texture, const char *call, txTake take, void *user) {
  clContext *context = texture->context;
  bool same = false;
  TRY(txContextEnter(context, call));
  txGlState state;
  txGlSave(context, &state);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(readMapped(texture, call, take, user, &same));
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  if (same || txCanaryDue(context, txTextureBytes(texture)))
    TRY_CLEANUP(txCanaryAsk(context, call));
cleanup:
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  txGlRestore(context, &state);
  return status;
}

void txDownloadsDestroy(clContext *context) {
  txDownloads *d = &context->downloads;
  if (d->buffer && !context->closed)
    glDeleteBuffers(1, &d->buffer);
  txMemoryGive(context, d->bytes);
  *d = (txDownloads){0};
}
