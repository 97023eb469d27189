/* Read-backs that are not waited for: into a pixel buffer, with a fence behind. */
#include "gl/gl.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdlib.h>
#include <string.h>

struct txRead {
  clContext *context;
  /* Holds the texels, and behind them the canary's. */
  GLuint buffer;
  GLsync fence;
  /* Of a texel: as the buffer has it, and as the reader wants it. */
  size_t wide, narrow;
  size_t texels;
  /* The number that the texel should have; 0 where there is none. */
  int serial;
};

enum { CANARY_BYTES = 4 * sizeof(GLfloat) };

static size_t bytesOf(const txRead *read) {
  return read->texels * read->wide;
}

/* All that is read, into the read's new buffer. */
static clStatus fillBuffer(txRead *read, const txTexture *texture, const char *call, txRect rect) {
  clContext *context = read->context;
  uint32_t mark;
  txCanaryMark(&mark);
  glGenBuffers(1, &read->buffer);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, read->buffer);
  glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)(bytesOf(read) + CANARY_BYTES), NULL,
               GL_STREAM_READ);
  glBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof mark, &mark);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txReadPixels(texture, 0, call, rect, NULL));
  if (txCanaryDue(context, bytesOf(read))) {
    TRY_CLEANUP(txCanaryRender(context, call));
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, (void *)bytesOf(read));
    TRY_CLEANUP(txGlCheckLater(context, call, "reading back"));
    read->serial = context->canary.serial;
  }
cleanup:
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  return status;
}

/* Gives back what a read holds, but not its context. */
static void freeRead(txRead *read) {
  if (read->fence)
    glDeleteSync(read->fence);
  if (read->buffer)
    glDeleteBuffers(1, &read->buffer);
  txMemoryGive(read->context, bytesOf(read) + CANARY_BYTES);
  free(read);
}

/* The read is under way, with a fence behind it. */
static clStatus readsBegin(txRead *read, const txTexture *texture, const char *call, txRect rect) {
  clContext *context = read->context;
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
  txRead *read = txAllocate(&context->error, call, 1, sizeof *read, "a read-back");
  if (!read)
    return TEXLA_OUT_OF_MEMORY;
  *read = (txRead){.context = context,
                   .wide = txReadBytes(texture),
                   .narrow = txGlFormatOf(texture)->bytes,
                   .texels = (size_t)rect.width * (size_t)rect.height};
  clStatus taken = txMemoryTake(context, call, bytesOf(read) + CANARY_BYTES);
  if (taken) {
    free(read);
    return taken;
  }
  clStatus status = readsBegin(read, texture, call, rect);
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
  if (txContextEnter(read->context, "clReadReady"))
    return true;
  return glClientWaitSync(read->fence, 0, 0) != GL_TIMEOUT_EXPIRED;
}

static clStatus takeTexels(const txRead *read, const char *call, void *values) {
  clContext *context = read->context;
  if (read->wide == read->narrow)
    return txBufferTake(context, call, 0, bytesOf(read), values);
  char *texels = txAllocate(&context->error, call, read->texels, read->wide, "a read-back");
  if (!texels)
    return TEXLA_OUT_OF_MEMORY;
  memcpy(texels, values, read->narrow); /* the mark */
  clStatus status = txBufferTake(context, call, 0, bytesOf(read), texels);
  txReadNarrow(values, read->narrow, texels, read->wide, read->texels);
  free(texels);
  return status;
}

/* A browser has no fence to wait for: there the buffer is waited for. */
static void waitFor(const txRead *read) {
  const GLuint64 second = 1000000000;
  while (!read->context->es &&
         glClientWaitSync(read->fence, GL_SYNC_FLUSH_COMMANDS_BIT, second) == GL_TIMEOUT_EXPIRED)
    ;
}

/* The values, then the canary's texel where there is one. The read's buffer is bound. */
static clStatus readsTakeAll(const txRead *read, const char *call, void *values) {
  float canary[4] = {0};
  TRY(takeTexels(read, call, values));
  if (read->serial)
    TRY(txBufferTake(read->context, call, bytesOf(read), CANARY_BYTES, canary));
  TRY(txGlCheckLater(read->context, call, "reading back"));
  if (read->serial)
    TRY(txCanaryCheck(read->context, call, canary, read->serial));
  return TEXLA_OK;
}

/* After a loss *values are what they were. */
static clStatus readsCopyOut(txRead *read, const char *call, void *values) {
  clContext *context = read->context;
  waitFor(read);
  txGlState state;
  txGlSave(context, &state);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, read->buffer);
  uint32_t before = txCanaryMark(values);
  clStatus status = readsTakeAll(read, call, values);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
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
  if (values && context->rehearsal)
    memset(values, 0, read->texels * read->narrow);
  else if (values)
    status = readsCopyOut(read, call, values);
  freeRead(read);
  txContextRelease(context);
  return status;
cleanup:
  txMemoryGive(context, bytesOf(read) + CANARY_BYTES);
  free(read);
  txContextRelease(context);
  return status;
}
