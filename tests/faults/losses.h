/* A context that is lost without a word: from the k-th call on draws are dropped, or reads, or
 * both, or the driver tells of a reset. The linker puts functions into the place of those that it
 * finds itself (--wrap=glDrawArrays, glReadPixels); the pointers to all others are replaced by
 * breakOpenGl. */
#ifndef TEXLA_TESTS_FAULTS_LOSSES_H
#define TEXLA_TESTS_FAULTS_LOSSES_H

#include "gl/gl.h"

#include <math.h>
#include <string.h>

typedef enum Loss { DRAWS, READS, ALL, RESET, LOSSES } Loss;
static const char *const lossNames[] = {"draws", "reads", "draws and reads", "a reset"};

/* 0: nothing is lost */
static long calls[LOSSES], from;
static Loss lost;

/* Is this call one of those that are dropped? */
static bool dropped(Loss kind) {
  calls[kind]++;
  if (kind != RESET)
    calls[ALL]++;
  return from && (lost == kind || (lost == ALL && kind != RESET)) && calls[lost] >= from;
}

/* Of OpenGL 1.1, which the library links to (--wrap). */
void __real_glDrawArrays(GLenum mode, GLint first, GLsizei count);
void __real_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
                         GLenum type, void *pixels);

void __wrap_glDrawArrays(GLenum mode, GLint first, GLsizei count) {
  if (!dropped(DRAWS))
    __real_glDrawArrays(mode, first, count);
}

void __wrap_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
                         GLenum type, void *pixels) {
  if (!dropped(READS))
    __real_glReadPixels(x, y, width, height, format, type, pixels);
}

/* Later ones are called through pointers. */
static PFNGLGETBUFFERSUBDATAPROC getBufferSubData;

static void GLAPIENTRY brokenGetBufferSubData(GLenum target, GLintptr offset, GLsizeiptr size,
                                              void *data) {
  if (!dropped(READS))
    getBufferSubData(target, offset, size, data);
}

static GLenum GLAPIENTRY brokenResetStatus(void) {
  return dropped(RESET) ? GL_INNOCENT_CONTEXT_RESET : GL_NO_ERROR;
}

/* Once the pointers have been loaded, by the first context. */
static inline void breakOpenGl(void) {
  getBufferSubData = glGetBufferSubData;
  glGetBufferSubData = brokenGetBufferSubData;
  glGetGraphicsResetStatus = brokenResetStatus;
}

/* From call number `first` on (0: nothing); what an earlier run left in textures is gone. Dropped
 * reads are noticed by their mark alone, and all else by a texel with every read. */
static inline void lose(clContext *context, Loss loss, long first) {
  txPoolTrim(context, 0);
  context->canary.interval = loss == READS || loss == ALL ? INFINITY : 0;
  memset(calls, 0, sizeof calls);
  lost = loss;
  from = first;
}

#endif
