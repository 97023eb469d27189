/* Calls of OpenGL that fail: no memory, a shader that is not made or does not compile or link, a
 * framebuffer that is not complete, a fence that cannot be made or waited for. The linker puts
 * functions into the place of those that it finds itself (--wrap=glGetError, glTexImage2D,
 * glReadPixels); the pointers to all others are replaced by breakOpenGl. */
#ifndef TEXLA_TESTS_FAULTS_CALLS_H
#define TEXLA_TESTS_FAULTS_CALLS_H

#include <GL/glew.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef enum Fault {
  TEXTURE,
  LAYERS,
  BUFFER,
  READ,
  SHADER,
  COMPILE,
  LINK,
  FRAMEBUFFER,
  FENCE,
  WAIT,
  FAULTS
} Fault;
static const char *const faultNames[] = {"texture", "layers", "buffer",      "read",  "shader",
                                         "compile", "link",   "framebuffer", "fence", "wait"};

static _Atomic long callsMade[FAULTS], failingCall;
static _Atomic Fault failingFault;
/* what glGetError tells next */
static _Thread_local GLenum pending;

/* Of the calls of this kind number `which` from now on fails, and no other one; 0: none does. */
static inline void failCall(Fault fault, long which) {
  for (int k = 0; k < FAULTS; k++)
    callsMade[k] = 0;
  failingFault = fault;
  failingCall = which;
}

/* None fails any more. How many there were of this kind since failCall. */
static inline long callsDone(Fault fault) {
  failingCall = 0;
  return callsMade[fault];
}

/* Is this the call that fails? */
static bool fails(Fault fault) {
  long number = atomic_fetch_add(&callsMade[fault], 1) + 1;
  return fault == failingFault && number == failingCall;
}

static bool noMemory(Fault fault) {
  bool now = fails(fault);
  if (now)
    pending = GL_OUT_OF_MEMORY;
  return now;
}

/* Of OpenGL 1.1, which the library links to (--wrap). */
GLenum __real_glGetError(void);
void __real_glTexImage2D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                         GLint border, GLenum format, GLenum type, const void *pixels);
void __real_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
                         GLenum type, void *pixels);

GLenum __wrap_glGetError(void) {
  GLenum error = pending;
  pending = GL_NO_ERROR;
  return error ? error : __real_glGetError();
}

void __wrap_glTexImage2D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                         GLint border, GLenum format, GLenum type, const void *pixels) {
  if (!noMemory(TEXTURE))
    __real_glTexImage2D(target, level, internal, width, height, border, format, type, pixels);
}

void __wrap_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
                         GLenum type, void *pixels) {
  if (!noMemory(READ))
    __real_glReadPixels(x, y, width, height, format, type, pixels);
}

/* Later ones are called through pointers. */
static PFNGLTEXIMAGE3DPROC texImage3D;
static PFNGLBUFFERDATAPROC bufferData;
static PFNGLCREATESHADERPROC createShader;
static PFNGLGETSHADERIVPROC shaderiv;
static PFNGLGETPROGRAMIVPROC programiv;
static PFNGLCHECKFRAMEBUFFERSTATUSPROC framebufferStatus;
static PFNGLFENCESYNCPROC fenceSync;
static PFNGLCLIENTWAITSYNCPROC waitSync;

static void GLAPIENTRY brokenTexImage3D(GLenum target, GLint level, GLint internal, GLsizei width,
                                        GLsizei height, GLsizei depth, GLint border, GLenum format,
                                        GLenum type, const void *pixels) {
  if (!noMemory(LAYERS))
    texImage3D(target, level, internal, width, height, depth, border, format, type, pixels);
}

static GLuint GLAPIENTRY brokenCreateShader(GLenum type) {
  return noMemory(SHADER) ? 0 : createShader(type);
}

static void GLAPIENTRY brokenBufferData(GLenum target, GLsizeiptr size, const void *data,
                                        GLenum usage) {
  if (!noMemory(BUFFER))
    bufferData(target, size, data, usage);
}

/* The library asks whether shaders compile only where their program does not link: a program with a
 * shader that fails does not. */
static _Thread_local bool shaderFails;

static void GLAPIENTRY brokenShaderiv(GLuint shader, GLenum name, GLint *value) {
  shaderiv(shader, name, value);
  if (name != GL_COMPILE_STATUS || !shaderFails)
    return;
  *value = GL_FALSE;
  shaderFails = false;
}

static void GLAPIENTRY brokenProgramiv(GLuint program, GLenum name, GLint *value) {
  programiv(program, name, value);
  if (name != GL_LINK_STATUS)
    return;
  shaderFails = fails(COMPILE);
  if (fails(LINK) || shaderFails)
    *value = GL_FALSE;
}

static GLenum GLAPIENTRY brokenFramebufferStatus(GLenum target) {
  return fails(FRAMEBUFFER) ? GL_FRAMEBUFFER_UNSUPPORTED : framebufferStatus(target);
}

static GLsync GLAPIENTRY brokenFenceSync(GLenum condition, GLbitfield flags) {
  return fails(FENCE) ? NULL : fenceSync(condition, flags);
}

static GLenum GLAPIENTRY brokenWaitSync(GLsync sync, GLbitfield flags, GLuint64 timeout) {
  return fails(WAIT) ? GL_WAIT_FAILED : waitSync(sync, flags, timeout);
}

/* Once the pointers have been loaded, by the first context. */
static inline void breakOpenGl(void) {
  texImage3D = glTexImage3D;
  bufferData = glBufferData;
  createShader = glCreateShader;
  shaderiv = glGetShaderiv;
  programiv = glGetProgramiv;
  framebufferStatus = glCheckFramebufferStatus;
  fenceSync = glFenceSync;
  waitSync = glClientWaitSync;
  glTexImage3D = brokenTexImage3D;
  glBufferData = brokenBufferData;
  glCreateShader = brokenCreateShader;
  glGetShaderiv = brokenShaderiv;
  glGetProgramiv = brokenProgramiv;
  glCheckFramebufferStatus = brokenFramebufferStatus;
  glFenceSync = brokenFenceSync;
  glClientWaitSync = brokenWaitSync;
}

#endif
