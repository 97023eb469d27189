/* Uploads to a graphics card: what a driver would first copy, thread by thread of its own choice,
 * is written by several threads into buffers that the device reads while others are being
 * filled. */
#include "gl/gl.h"
#include "core/try.h"
#include "core/numbers.h"
#include "core/parallel.h"

#include <string.h>

enum {
  /* Bytes of a buffer. */
  SLICE = 4 << 20,
  /* Smaller uploads go directly. */
  WORTH = 1 << 12,
  /* From so many bytes on copying takes longer than starting threads. */
  THREADS = 2 << 20
};

typedef struct copying {
  const float *from;
  float *to;
} copying;

static void uploadsCopy(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const copying *c = user;
  (void)sum;
  memcpy(c->to + first, c->from + first, (size_t)(last - first) * sizeof *c->to);
}

/* One more buffer, which becomes the next one. */
static clStatus uploadsCreate(clContext *context, const char *call) {
  txUploads *u = &context->uploads;
  TRY(txMemoryTake(context, call, SLICE));
  u->next = u->count++;
  glGenBuffers(1, &u->buffer[u->next]);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, u->buffer[u->next]);
  glBufferData(GL_PIXEL_UNPACK_BUFFER, SLICE, NULL, GL_STREAM_DRAW);
  return txGlCheck(context, call, "creating a buffer for uploads");
}

/* Has the device read buffer i, within so many nanoseconds? */
static bool isRead(txUploads *u, int i, GLuint64 patience) {
  if (!u->read[i])
    return true;
  if (glClientWaitSync(u->read[i], GL_SYNC_FLUSH_COMMANDS_BIT, patience) == GL_TIMEOUT_EXPIRED)
    return false;
  glDeleteSync(u->read[i]);
  u->read[i] = NULL;
  return true;
}

/* u->next <- a buffer that the device has read: one that is there, a new one, or the one that has
 * waited for longest. */
static clStatus uploadsChoose(clContext *context, const char *call) {
  const GLuint64 second = 1000000000;
  txUploads *u = &context->uploads;
  for (int k = 0; k < u->count; k++)
    if (isRead(u, (u->next + k) % u->count, 0)) {
      u->next = (u->next + k) % u->count;
      return TEXLA_OK;
    }
  if (u->count < TX_UPLOADS && !uploadsCreate(context, call))
    return TEXLA_OK;
  if (!u->count)
    return TEXLA_OUT_OF_MEMORY;
  while (!isRead(u, u->next, second))
    ;
  return TEXLA_OK;
}

/* Binds a buffer and fills it. */
static clStatus uploadsFill(clContext *context, const char *call, const void *values,
                            size_t bytes) {
  TRY(uploadsChoose(context, call));
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, context->uploads.buffer[context->uploads.next]);
  float *to =
      glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)bytes,
                       GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT | GL_MAP_UNSYNCHRONIZED_BIT);
  if (!to)
    return txGlCheck(context, call, "mapping a buffer for an upload");
  if (bytes < THREADS)
    memcpy(to, values, bytes);
  else
    txParallel((int64_t)(bytes / sizeof *to), uploadsCopy, &(copying){values, to}, NULL);
  if (!glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER))
    return txGlCheck(context, call, "filling a buffer for an upload");
  return TEXLA_OK;
}

size_t txUploadsBytes(const clContext *context) {
  return (size_t)context->uploads.count * SLICE;
}

bool txUploadWorthWhile(const clContext *context, size_t bytes) {
  return context->traits.upload_buffers && bytes >= WORTH;
}

/* Strips of the rectangle go through the buffers in turn: the device reads one while the next one
 * is filled. */
clStatus txUpload(clContext *context, const char *call, txRect rect, unsigned format, unsigned type,
                  size_t texel_bytes, const void *values) {
  txUploads *u = &context->uploads;
  size_t row = (size_t)rect.width * texel_bytes;
  int most = (int)(SLICE / row);
  if (!most)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  for (int y = 0, rows; y < rect.height; y += rows) {
    rows = txLeast(rect.height - y, most);
    TRY_CLEANUP(
        uploadsFill(context, call, (const char *)values + (size_t)y * row, (size_t)rows * row));
    glTexSubImage2D(GL_TEXTURE_2D, 0, rect.x, rect.y + y, rect.width, rows, format, type, NULL);
    u->read[u->next] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    u->next = (u->next + 1) % u->count;
  }
cleanup:
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  return status;
}

void txUploadsDestroy(clContext *context) {
  txUploads *u = &context->uploads;
  for (int i = 0; i < u->count && !context->closed; i++)
    if (u->read[i])
      glDeleteSync(u->read[i]);
  if (!context->closed)
    glDeleteBuffers(u->count, u->buffer);
  txMemoryGive(context, txUploadsBytes(context));
  *u = (txUploads){0};
}
