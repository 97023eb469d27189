/* OpenGL's calls that WebGL 2 lacks, so that a program for browsers links. Nothing calls them where
 * a context is OpenGL ES (clContext.es). */
#include "gl/gl.h"

void glBindFragDataLocation(GLuint program, GLuint colour, const GLchar *name) {
  (void)program, (void)colour, (void)name;
}

void glClampColor(GLenum target, GLenum clamp) {
  (void)target, (void)clamp;
}

void glClipControl(GLenum origin, GLenum depth) {
  (void)origin, (void)depth;
}

void glColorMaski(GLuint i, GLboolean r, GLboolean g, GLboolean b, GLboolean a) {
  (void)i, (void)r, (void)g, (void)b, (void)a;
}

void glDebugMessageCallback(GLDEBUGPROC callback, const void *user) {
  (void)callback, (void)user;
}

void glDisablei(GLenum what, GLuint i) {
  (void)what, (void)i;
}

void glEnablei(GLenum what, GLuint i) {
  (void)what, (void)i;
}

void glGetBooleani_v(GLenum what, GLuint i, GLboolean *values) {
  (void)what, (void)i, (void)values;
}

void glGetQueryObjectui64v(GLuint query, GLenum what, GLuint64 *value) {
  (void)query, (void)what, (void)value;
}

void glLogicOp(GLenum operation) {
  (void)operation;
}

void glPointSize(GLfloat size) {
  (void)size;
}

void glPolygonMode(GLenum face, GLenum mode) {
  (void)face, (void)mode;
}

void glSamplerParameterIiv(GLuint sampler, GLenum what, const GLint *values) {
  (void)sampler, (void)what, (void)values;
}

GLenum glGetGraphicsResetStatus(void) {
  return GL_NO_ERROR;
}

GLenum glGetGraphicsResetStatusARB(void) {
  return GL_NO_ERROR;
}

GLboolean glIsEnabledi(GLenum what, GLuint i) {
  (void)what, (void)i;
  return GL_FALSE;
}

void *glMapBufferRange(GLenum target, GLintptr first, GLsizeiptr bytes, GLbitfield access) {
  (void)target, (void)first, (void)bytes, (void)access;
  return NULL;
}

GLboolean glUnmapBuffer(GLenum target) {
  (void)target;
  return GL_FALSE;
}
