/* What goes wrong on a context: its message and its log, OpenGL's own errors, operands of two
 * contexts; and who still needs it. */
#include "gl/gl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

clError *txContextError(clContext *context) {
  return context ? &context->error : NULL;
}

const clError *clContextError(const clContext *context) {
  static const clError none = {TEXLA_BAD_ARGUMENT, "there is no context"};
  return context ? &context->error : &none;
}

void txContextLog(const clContext *context, clLogLevel level, const char *format, ...) {
  if (!context->options.log || level > context->options.log_level)
    return;
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  context->options.log(context->options.log_user, level, text);
}

clStatus txContextLose(clContext *context, const char *call, const char *why) {
  if (!context->lost)
    context->lost = why;
  return txFail(&context->error, TEXLA_CONTEXT_LOST, call,
                "%s. What this context held is lost: destroy it and all that was made on it, "
                "create a new one and upload again "
                "(the system's log may say why: a reset, a draw that took too long, no memory)",
                context->lost);
}

clStatus txContextSame(clContext *a, const clContext *b, const char *call) {
  if (a == b)
    return TEXLA_OK;
  return txFail(&a->error, TEXLA_FOREIGN_CONTEXT, call,
                "the operands belong to different contexts");
}

void txContextRetain(clContext *context) {
  context->references++;
}

void txContextRelease(clContext *context) {
  if (--context->references == 0)
    free(context);
}

/* The loop is bounded: without a current context some drivers return an error for ever. */
GLenum txGlClearErrors(void) {
  GLenum first = glGetError(), code = first;
  for (int i = 0; i < 16 && code != GL_NO_ERROR; i++)
    code = glGetError();
  return first;
}

clStatus txGlCheck(clContext *context, const char *call, const char *what) {
  if (context->rehearsal)
    return TEXLA_OK;
  GLenum code = txGlClearErrors();
  if (code == GL_NO_ERROR)
    return TEXLA_OK;
  if (code == GL_CONTEXT_LOST)
    return txContextLose(context, call, "the driver has lost the context");
  if (code == GL_OUT_OF_MEMORY)
    return txFail(&context->error, TEXLA_OUT_OF_MEMORY, call,
                  "%s: the device is out of memory (%zu bytes in use)", what,
                  context->counters.bytes_used);
  return txFail(&context->error, TEXLA_DEVICE_ERROR, call, "%s: OpenGL error 0x%04x", what, code);
}
