/* The context's buffer of uniform blocks (pass.h): it grows, and keeps its memory until the context
 * is trimmed. */
#include "gl/gl.h"
#include "core/try.h"

static clStatus blocksGrow(clContext *context, const char *call, size_t bytes) {
  if (bytes <= context->blocks_bytes)
    return TEXLA_OK;
  txBlocksDestroy(context);
  TRY(txMemoryTake(context, call, bytes));
  glGenBuffers(1, &context->blocks);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, context->blocks);
  glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_COPY);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  context->blocks_bytes = bytes;
  return txGlCheck(context, call, "creating a buffer");
}

void txBlocksDestroy(clContext *context) {
  txMemoryGive(context, context->blocks_bytes);
  if (context->blocks && !context->closed)
    glDeleteBuffers(1, &context->blocks);
  context->blocks = 0;
  context->blocks_bytes = 0;
  context->blocks_version = 0;
}

int64_t txBlocksVersion(const clContext *context) {
  return context->blocks_version;
}

/* The texels are read into the buffer by the device itself: nothing comes to the host. */
clStatus txBlocksFill(clContext *context, const char *call, const txTexture *texture) {
  TRY(txContextEnter(context, call));
  txGlState state;
  txGlSave(context, &state);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(blocksGrow(context, call,
                         (size_t)texture->width * (size_t)texture->height * 4 * sizeof(GLfloat)));
  TRY_CLEANUP(txFramebufferBind(context, call, &(txAttachment){texture, 0}, 1));
  glBindBuffer(GL_PIXEL_PACK_BUFFER, context->blocks);
  glReadPixels(0, 0, texture->width, texture->height, GL_RGBA, GL_FLOAT, NULL);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  TRY_CLEANUP(txGlCheckLater(context, call, "filling a buffer"));
  context->blocks_version = texture->version;
cleanup:
  txGlRestore(context, &state);
  return status;
}
