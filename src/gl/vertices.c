/* Vertices of a caller's: a buffer of interleaved attributes, and the array that describes it. */
#include "gl/gl.h"
#include "gl/platform.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdlib.h>

/* Uploads the data, and says where each attribute lies in a vertex. */
static clStatus verticesFill(txVertices *v, const char *call, const float *data,
                             const int *components, int attributes) {
  size_t stride = (size_t)v->floats * sizeof *data, offset = 0;
  txGlState state;
  txGlSave(v->context, &state);
  glGenVertexArrays(1, &v->array);
  glGenBuffers(1, &v->buffer);
  glBindVertexArray(v->array);
  glBindBuffer(GL_ARRAY_BUFFER, v->buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)v->bytes, data, GL_STATIC_DRAW);
  for (int i = 0; i < attributes; i++) {
    glEnableVertexAttribArray((GLuint)i);
    glVertexAttribPointer((GLuint)i, components[i], GL_FLOAT, GL_FALSE, (GLsizei)stride,
                          (const void *)offset);
    offset += (size_t)components[i] * sizeof *data;
  }
  clStatus status = txGlCheck(v->context, call, "uploading vertices");
  txGlRestore(v->context, &state);
  return status;
}

clStatus txVerticesCreate(txVertices **out, clContext *context, const char *call, const float *data,
                          int64_t count, const int *components, int attributes) {
  TRY(txContextEnter(context, call));
  int floats = 0;
  for (int i = 0; i < attributes; i++)
    floats += components[i];
  if (count < 1 || count > INT32_MAX)
    return txFail(&context->error, TEXLA_TOO_LARGE, call, "%lld vertices are not between 1 and %d",
                  (long long)count, INT32_MAX);
  size_t bytes = (size_t)floats * sizeof *data * (size_t)count;
  TRY(txMemoryTake(context, call, bytes));
  clStatus status = TEXLA_OK;
  txVertices *v = txAllocate(&context->error, call, 1, sizeof *v, "vertices");
  if (!v)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  *v = (txVertices){.context = context, .count = count, .floats = floats, .bytes = bytes};
  TRY_CLEANUP(verticesFill(v, call, data, components, attributes));
  context->counters.uploads++;
  txContextRetain(context);
  *out = v;
  return TEXLA_OK;
cleanup:
  if (v) {
    glDeleteVertexArrays(1, &v->array);
    glDeleteBuffers(1, &v->buffer);
  }
  txMemoryGive(context, bytes);
  free(v);
  return status;
}

int txVerticesFloats(const txVertices *v) {
  return v->floats;
}

clStatus txVerticesRead(const txVertices *v, const char *call, int64_t first, int64_t count,
                        float *data) {
  TRY(txContextEnter(v->context, call));
  txGlState state;
  txGlSave(v->context, &state);
  glBindBuffer(GL_ARRAY_BUFFER, v->buffer);
  size_t bytes = (size_t)v->floats * sizeof *data;
  glGetBufferSubData(GL_ARRAY_BUFFER, (GLintptr)(bytes * (size_t)first),
                     (GLsizeiptr)(bytes * (size_t)count), data);
  clStatus status = txGlCheck(v->context, call, "reading vertices");
  txGlRestore(v->context, &state);
  return status;
}

/* Where the OpenGL context is out of reach its objects die with it. */
void txVerticesDestroy(txVertices *v) {
  if (!v)
    return;
  clContext *context = v->context;
  txMemoryGive(context, v->bytes);
  if (!context->closed && txPlatformEnter(context->platform)) {
    glDeleteVertexArrays(1, &v->array);
    glDeleteBuffers(1, &v->buffer);
  }
  free(v);
  txContextRelease(context);
}
