/* Read-backs that are not waited for: into a pixel buffer, with a fence behind. OpenGL ES reads
 * at once: WebGL waits for no fence, and reads no buffer of three components or fewer. */
#include "gl/gl.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdlib.h>
#include <string.h>

struct txRead {
  clContext *context;
  /* Holds the values, and behind them the canary's texel. */
  GLuint buffer;
  GLsync fence;
  /* OpenGL ES: the values. */
  void *values;
  /* Bytes of the values. */
  size_t bytes;
  /* The number that the texel should have; 0 where there is none. */
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
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txReadPixels(texture, 0, call, rect, NULL));
  if (txCanaryDue(context, read->bytes)) {
    TRY_CLEANUP(txCanaryRender(context, call));
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, (void *)read->bytes);
    TRY_CLEANUP(txGlCheck(context, call, "reading back"));
    read->serial = context->canary.serial;
  }
cleanup:
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  return status;
}

/* Gives back what a read holds, but not its context. */
static void freeRead(txRead *read) {
  if (read->buffer)
    glDeleteBuffers(1, &read->buffer);
  txMemoryGive(read->context, read->bytes + CANARY_BYTES);
  free(read->values);
  free(read);
}

static clStatus readNow(txRead *read, const txTexture *texture, const char *call, txRect rect) {
  read->values = txAllocate(&read->context->error, call, read->bytes, 1, "a read-back");
  if (!read->values)
    return TEXLA_OUT_OF_MEMORY;
  return txTextureRead(texture, call, rect, read->values);
}

/* The read is under way, with a fence behind it. */
static clStatus begin(txRead *read, const txTexture *texture, const char *call, txRect rect) {
  clContext *context = read->context;
  if (context->es)
    return readNow(read, texture, call, rect);
  txGlState state;
  txGlSave(context, &state);
  clStatus status = fillBuffer(read, texture, call, rect);
  txGlRestore(context, &state);
  TRY(status);
  read->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  /* Otherwise nobody may ever signal the fence. */
  glFlush();
  return TEXLA_OK;
}

clStatus txReadStart(txRead **out, const txTexture *texture, const char *call, txRect rect) {
  clContext *context = texture->context;
  TRY(txContextEnter(context, call));
  size_t bytes = txRectBytes(texture, rect);
  TRY(txMemoryTake(context, call, bytes + CANARY_BYTES));
  txRead *read = txAllocate(&context->error, call, 1, sizeof *read, "a read-back");
  if (!read) {
    txMemoryGive(context, bytes + CANARY_BYTES);
    return TEXLA_OUT_OF_MEMORY;
  }
  *read = (txRead){.context = context, .bytes = bytes};
  clStatus status = begin(read, texture, call, rect);
  if (status) {
    freeRead(read);
    return status;
  }
  txContextRetain(context);
  *out = read;
  return TEXLA_OK;
}

bool txReadReady(const txRead *read) {
  /* Finish will say what is wrong */
  if (read->values || txContextEnter(read->context, "clReadReady"))
    return true;
  return glClientWaitSync(read->fence, 0, 0) != GL_TIMEOUT_EXPIRED;
}

/* The values, and the canary's texel where there is one; *values are what they were after a
 * loss. */
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
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txContextEnter(context, call));
  if (values && read->values)
    memcpy(values, read->values, read->bytes);
  else if (values)
    status = copyOut(read, call, values);
  if (read->fence)
    glDeleteSync(read->fence);
  if (read->buffer)
    glDeleteBuffers(1, &read->buffer);
cleanup:
  txMemoryGive(context, read->bytes + CANARY_BYTES);
  free(read->values);
  free(read);
  txContextRelease(context);
  return status;
}
