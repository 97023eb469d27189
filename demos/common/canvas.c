#include "common/canvas.h"

#if TEXLA_HAVE_GLFW

#include <GL/glew.h>

#include <stddef.h>
#include <stdlib.h>

#include "core/allocate.h"

struct demoCanvas {
  int width, height;
  GLuint texture, framebuffer;
  GLuint unpack[2], fill; /* programs: of a whole picture, of half of one; of rectangles */
  GLuint nothing, corner; /* vertex arrays: without a buffer; with the rectangles' one */
  GLuint rectangles;
};

/* A triangle that covers everything. */
static const char whole_vertex[] =
    "void main() {\n"
    "  gl_Position = vec4(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1., 0., 1.);\n"
    "}\n";

/* Four pixels share a texel; dynamic indices would be slower on software renderers. Half a picture is enlarged: each pixel lies a quarter
 * of the way to its neighbours; sums of 16 bytes are exact, so that it is what demoPaintRead computes. */
static const char unpack_fragment[] =
    "uniform sampler2D picture;\n"
    "uniform ivec2 size; // of the picture\n"
    "out vec4 colour;\n"
    "vec3 pixel(ivec2 p) {\n"
    "  vec4 t = texelFetch(picture, ivec2(p.x >> 2, p.y), 0);\n"
    "  vec2 pair = (p.x & 2) == 0 ? t.xy : t.zw;\n"
    "  int number = int((p.x & 1) == 0 ? pair.x : pair.y);\n"
    "  return vec3(number & 255, number >> 8 & 255, number >> 16 & 255);\n"
    "}\n"
    "#ifdef HALF\n"
    "vec3 enlarged(ivec2 p) {\n"
    "  ivec2 near = min(p / 2, size - 1), far = clamp(near + 2 * (p & 1) - 1, ivec2(0), size - 1);\n"
    "  vec3 sum = 3. * (pixel(ivec2(far.x, near.y)) + pixel(ivec2(near.x, far.y))) + 9. * pixel(near) + pixel(far);\n"
    "  return floor(sum / 16. + 0.5);\n"
    "}\n"
    "#else\n"
    "#define enlarged pixel\n"
    "#endif\n"
    "void main() { colour = vec4(enlarged(ivec2(gl_FragCoord.xy)) / 255., 1.); }\n";

/* A rectangle is an instance of a strip of two triangles. */
static const char fill_vertex[] =
    "layout(location = 0) in ivec4 sides; // left, top, right, bottom, from the top on\n"
    "layout(location = 1) in vec4 rgb_shades;\n"
    "uniform ivec2 size; // of the canvas\n"
    "flat out vec4 ink;\n"
    "void main() {\n"
    "  bool shades = rgb_shades.a > 0.;\n"
    "  ink = vec4(shades ? vec3(0.) : rgb_shades.rgb, shades ? 2. / 3. : 1.);\n"
    "  vec2 p = vec2(gl_VertexID % 2 == 0 ? sides.x : sides.z, size.y - (gl_VertexID / 2 == 0 ? sides.y : sides.w));\n"
    "  gl_Position = vec4(2. * p / vec2(size) - 1., 0., 1.);\n"
    "}\n";

static const char fill_fragment[] = "flat in vec4 ink;\n"
                                    "out vec4 colour;\n"
                                    "void main() { colour = ink; }\n";

static GLuint programOf(const char *vertex, const char *define, const char *fragment) {
  const char *source[2] = {vertex, fragment};
  GLuint program = glCreateProgram();
  GLint linked = GL_FALSE;
  for (int k = 0; k < 2; k++) {
    GLuint shader = glCreateShader(k ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
    glShaderSource(shader, 3, (const char *[]){"#version 330\n", define, source[k]}, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glDeleteShader(shader); /* lives as long as the program */
  }
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (!linked) {
    glDeleteProgram(program);
    return 0;
  }
  return program;
}

static void createTexture(demoCanvas *c) {
  glGenTextures(1, &c->texture);
  glBindTexture(GL_TEXTURE_2D, c->texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, c->width, c->height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glBindTexture(GL_TEXTURE_2D, 0);
  glGenFramebuffers(1, &c->framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, c->framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, c->texture, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void createRectangles(demoCanvas *c) {
  glGenVertexArrays(1, &c->nothing);
  glGenVertexArrays(1, &c->corner);
  glGenBuffers(1, &c->rectangles);
  glBindVertexArray(c->corner);
  glBindBuffer(GL_ARRAY_BUFFER, c->rectangles);
  glVertexAttribIPointer(0, 4, GL_INT, sizeof(demoRectangle), (void *)offsetof(demoRectangle, left));
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(demoRectangle), (void *)offsetof(demoRectangle, rgb));
  for (GLuint k = 0; k < 2; k++) {
    glEnableVertexAttribArray(k);
    glVertexAttribDivisor(k, 1);
  }
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindVertexArray(0);
}

demoCanvas *demoCanvasCreate(int width, int height) {
  demoCanvas *c = txAllocate(NULL, "canvas", 1, sizeof *c, "a canvas");
  if (!c)
    return NULL;
  c->width = width;
  c->height = height;
  c->unpack[0] = programOf(whole_vertex, "", unpack_fragment);
  c->unpack[1] = programOf(whole_vertex, "#define HALF\n", unpack_fragment);
  c->fill = programOf(fill_vertex, "", fill_fragment);
  createTexture(c);
  createRectangles(c);
  if (c->unpack[0] && c->unpack[1] && c->fill)
    return c;
  demoCanvasDestroy(c);
  return NULL;
}

void demoCanvasDestroy(demoCanvas *c) {
  if (!c)
    return;
  for (int k = 0; k < 2; k++)
    glDeleteProgram(c->unpack[k]);
  glDeleteProgram(c->fill);
  glDeleteBuffers(1, &c->rectangles);
  glDeleteVertexArrays(1, &c->nothing);
  glDeleteVertexArrays(1, &c->corner);
  glDeleteFramebuffers(1, &c->framebuffer);
  glDeleteTextures(1, &c->texture);
  free(c);
}

static void drawPicture(const demoCanvas *c, const clVectorView *picture) {
  GLint width = (GLint)picture->row, height = picture->height;
  GLuint program = c->unpack[width != c->width || height != c->height];
  glUseProgram(program);
  glUniform1i(glGetUniformLocation(program, "picture"), 0);
  glUniform2i(glGetUniformLocation(program, "size"), width, height);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, picture->name);
  glBindVertexArray(c->nothing);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindTexture(GL_TEXTURE_2D, 0);
}

static void drawRectangles(const demoCanvas *c, const demoOverlay *overlay) {
  glUseProgram(c->fill);
  glUniform2i(glGetUniformLocation(c->fill, "size"), c->width, c->height);
  glBindBuffer(GL_ARRAY_BUFFER, c->rectangles);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)overlay->count * sizeof *overlay->list), overlay->list,
               GL_STREAM_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindVertexArray(c->corner);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, overlay->count);
  glDisable(GL_BLEND);
}

void demoCanvasDraw(demoCanvas *c, const clVectorView *picture, const demoOverlay *overlay) {
  glBindFramebuffer(GL_FRAMEBUFFER, c->framebuffer);
  glViewport(0, 0, c->width, c->height);
  drawPicture(c, picture);
  drawRectangles(c, overlay);
  glBindVertexArray(0);
  glUseProgram(0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void demoCanvasShow(const demoCanvas *c, const int place[4]) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, c->framebuffer);
  glClear(GL_COLOR_BUFFER_BIT);
  glBlitFramebuffer(0, 0, c->width, c->height, place[0], place[1], place[0] + place[2], place[1] + place[3],
                    GL_COLOR_BUFFER_BIT, GL_LINEAR);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

#else

typedef int demoNoCanvas; /* there are no windows */

#endif
