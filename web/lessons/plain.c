/* What lesson 18 asks of OpenGL itself, in WebGL's words: lessons.cmake puts these in the place of
 * OpenGL's functions. Its shaders are OpenGL's, it gives and takes numbers of one component, and
 * draws what WebGL refuses. */
#include <GL/glew.h>
#include <stdio.h>
#include <string.h>

void lessonShaderSource(GLuint shader, GLsizei count, const GLchar *const *text,
                        const GLint *length);
void lessonTexImage2D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                      GLint border, GLenum format, GLenum type, const void *values);
void lessonGetTexImage(GLenum target, GLint level, GLenum format, GLenum type, void *values);
void lessonDrawArrays(GLenum mode, GLint first, GLsizei count);

/* The size of all its textures. */
enum { SIDE = 64, N = SIDE * SIDE };

/* Behind "#version 330 core". Without a word samplers have low precision: drivers may take halves. */
void lessonShaderSource(GLuint shader, GLsizei count, const GLchar *const *text,
                        const GLint *length) {
  static const char head[] = "#version 300 es\nprecision highp float;\nprecision highp int;\n"
                             "precision highp sampler2D;\n";
  (void)count, (void)length;
  glShaderSource(shader, 2, (const GLchar *[]){head, strchr(text[0], '\n') + 1}, NULL);
}

/* Eight bits are given as such; and filters of floats are an extension. */
void lessonTexImage2D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                      GLint border, GLenum format, GLenum type, const void *values) {
  static unsigned char bytes[N];
  const float *number = values;
  glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  if (internal != GL_R8) {
    glTexImage2D(target, level, internal, width, height, border, format, type, values);
    return;
  }
  for (int k = 0; k < N && number; k++)
    bytes[k] = (unsigned char)(255 * number[k] + .5f);
  glTexImage2D(target, level, internal, width, height, border, format, GL_UNSIGNED_BYTE,
               number ? bytes : NULL);
}

/* Texels are read from a framebuffer, four components each. */
void lessonGetTexImage(GLenum target, GLint level, GLenum format, GLenum type, void *values) {
  static float texel[N][4];
  static unsigned char bytes[N][4];
  float *number = values;
  GLint texture, old, of_floats;
  GLuint framebuffer;
  (void)format, (void)type;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &old);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target, (GLuint)texture, level);
  glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_TYPE, &of_floats);
  if (of_floats == GL_FLOAT)
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, texel);
  else
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
  for (int k = 0; k < N; k++)
    number[k] = of_floats == GL_FLOAT ? texel[k][0] : (float)bytes[k][0] / 255;
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)old);
  glDeleteFramebuffers(1, &framebuffer);
}

/* What it refuses is said, and no error of texla's later calls. To ask is to wait: so only the draws
 * of the first mistake are asked for. */
void lessonDrawArrays(GLenum mode, GLint first, GLsizei count) {
  enum { ASKED = 10 };
  static int draws;
  glDrawArrays(mode, first, count);
  draws++;
  if (draws <= ASKED && glGetError() && draws == ASKED)
    printf(
        "   (WebGL refuses to draw into a texture that the shader reads: all stays as it was)\n");
}
