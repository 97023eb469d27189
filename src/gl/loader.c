/* OpenGL entry points through GLEW, loaded once per process: the one global of texla. */
#include "gl/gl.h"

#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool loaded;

/* GLEW builds made for GLX return NO_GLX_DISPLAY on an EGL context after they have loaded every
 * OpenGL entry point, so the entry points themselves are the test. */
clStatus txLoad(clError *error) {
  pthread_mutex_lock(&lock);
  if (!loaded) {
    glewExperimental = GL_TRUE;
    GLenum code = glewInit();
    /* In core profiles GLEW's query of GL_EXTENSIONS leaves an error. */
    txGlClearErrors();
    loaded = (code == GLEW_OK || code == GLEW_ERROR_NO_GLX_DISPLAY) && glCreateProgram &&
             glBindFramebuffer && glGenSamplers && glFenceSync && glVertexAttribPointer &&
             glGetQueryObjectui64v;
  }
  bool ok = loaded;
  pthread_mutex_unlock(&lock);
  if (ok)
    return TEXLA_OK;
  return txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
                "OpenGL 3.3's entry points could not be loaded; is the OpenGL context current in "
                "this thread?");
}

const char *txRenderer(void) {
  return (const char *)glGetString(GL_RENDERER);
}

bool txDeviceIsApart(void) {
  return false;
}

bool txTellsCompiled(void) {
  return false;
}

/* OpenGL ES has no glGetBufferSubData. */
clStatus txBufferTake(clContext *context, const char *call, size_t first, size_t bytes,
                      void *values) {
  if (context->es) {
    const void *held =
        glMapBufferRange(GL_PIXEL_PACK_BUFFER, (GLintptr)first, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    if (!held)
      return txFail(&context->error, TEXLA_DEVICE_ERROR, call,
                    "a buffer that was read into cannot be mapped");
    memcpy(values, held, bytes);
    glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
  } else
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, (GLintptr)first, (GLsizeiptr)bytes, values);
  return TEXLA_OK;
}
