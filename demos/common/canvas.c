#include "common/canvas.h"

#if TEXLA_HAVE_GLFW

#include <GL/glew.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "core/allocate.h"

struct demoCanvas {
  int width, height;
  GLuint texture[2], framebuffer[2]; /* of the canvas; of half of it */
  GLuint unpack, enlarge, fill;      /* programs: of a picture; of one of half the size; of rectangles */
  GLuint nothing, corner;            /* vertex arrays: without a buffer; with the rectangles' one */
  GLuint rectangles;
};

/* A triangle that covers everything. */
static const char whole_vertex[] =
    "void main() {\n"
    "  gl_Position = vec4(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1., 0., 1.);\n"
    "}\n";

/* Four pixels share a texel; dynamic indices would be slower on software renderers. */
static const char unpack_fragment[] =
    "uniform sampler2D picture;\n"
    "out vec4 colour;\n"
    "void main() {\n"
    "  ivec2 p = ivec2(gl_FragCoord.xy);\n"
    "  vec4 t = texelFetch(picture, ivec2(p.x >> 2, p.y), 0);\n"
    "  vec2 pair = (p.x & 2) == 0 ? t.xy : t.zw;\n"
    "  int number = int((p.x & 1) == 0 ? pair.x : pair.y);\n"
    "  colour = vec4(vec3(number & 255, number >> 8 & 255, number >> 16 & 255) / 255., 1.);\n"
    "}\n";

/* Each pixel lies a quarter of the way to its neighbours, as demoPaintRead has it. */
static const char enlarge_fragment[] =
    "uniform sampler2D picture;\n"
    "out vec4 colour;\n"
    "void main() { colour = vec4(texture(picture, 0.5 * gl_FragCoord.xy / vec2(textureSize(picture, 0))).rgb, 1.); }\n";

/* A rectangle is an instance of a strip of two triangles. */
static const char fill_vertex[] =
    "layout(location = 0) in ivec4 sides; // left, top, right, bottom, from the top on\n"
    "layout(location = 1) in vec4 rgb_cover;\n"
    "uniform ivec2 size; // of the canvas\n"
    "flat out vec4 ink;\n"
    "void main() {\n"
    "  ink = vec4(rgb_cover.rgb * rgb_cover.a, rgb_cover.a);\n"
    "  vec2 p = vec2(gl_VertexID % 2 == 0 ? sides.x : sides.z, size.y - (gl_VertexID / 2 == 0 ? sides.y : sides.w));\n"
    "  gl_Position = vec4(2. * p / vec2(size) - 1., 0., 1.);\n"
    "}\n";

static const char fill_fragment[] = "flat in vec4 ink;\n"
                                    "out vec4 colour;\n"
                                    "void main() { colour = ink; }\n";

static GLuint programOf(const char *vertex, const char *fragment) {
  const char *source[2] = {vertex, fragment};
  GLuint program = glCreateProgram();
  GLint linked = GL_FALSE;
  for (int k = 0; k < 2; k++) {
    GLuint shader = glCreateShader(k ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
    glShaderSource(shader, 2, (const char *[]){"#version 330\n", source[k]}, NULL);
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

static void createTexture(demoCanvas *c, int k) {
  glGenTextures(1, &c->texture[k]);
  glBindTexture(GL_TEXTURE_2D, c->texture[k]);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, c->width >> k ? c->width >> k : 1, c->height >> k ? c->height >> k : 1, 0,
               GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glBindTexture(GL_TEXTURE_2D, 0);
  glGenFramebuffers(1, &c->framebuffer[k]);
  glBindFramebuffer(GL_FRAMEBUFFER, c->framebuffer[k]);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, c->texture[k], 0);
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
  c->unpack = programOf(whole_vertex, unpack_fragment);
  c->enlarge = programOf(whole_vertex, enlarge_fragment);
  c->fill = programOf(fill_vertex, fill_fragment);
  createTexture(c, 0);
  createTexture(c, 1);
  createRectangles(c);
  if (c->unpack && c->enlarge && c->fill)
    return c;
  demoCanvasDestroy(c);
  return NULL;
}

void demoCanvasDestroy(demoCanvas *c) {
  if (!c)
    return;
  glDeleteProgram(c->unpack);
  glDeleteProgram(c->enlarge);
  glDeleteProgram(c->fill);
  glDeleteBuffers(1, &c->rectangles);
  glDeleteVertexArrays(1, &c->nothing);
  glDeleteVertexArrays(1, &c->corner);
  glDeleteFramebuffers(2, c->framebuffer);
  glDeleteTextures(2, c->texture);
  free(c);
}

/* The target <- what a program makes of the texture. */
static void drawWhole(const demoCanvas *c, int target, GLuint program, GLuint texture) {
  glBindFramebuffer(GL_FRAMEBUFFER, c->framebuffer[target]);
  glViewport(0, 0, c->width >> target, c->height >> target);
  glUseProgram(program);
  glUniform1i(glGetUniformLocation(program, "picture"), 0);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture);
  glBindVertexArray(c->nothing);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindTexture(GL_TEXTURE_2D, 0);
}

/* What is half as large is unpacked first: the texture unit enlarges bytes at a quarter of the cost. */
static void drawPicture(const demoCanvas *c, const clVectorView *picture) {
  bool half = picture->row != c->width || picture->height != c->height;
  drawWhole(c, half, c->unpack, picture->name);
  if (half)
    drawWhole(c, 0, c->enlarge, c->texture[1]);
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
  drawPicture(c, picture);
  drawRectangles(c, overlay);
  glBindVertexArray(0);
  glUseProgram(0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void demoCanvasShow(const demoCanvas *c, const int place[4]) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, c->framebuffer[0]);
  glClear(GL_COLOR_BUFFER_BIT);
  glBlitFramebuffer(0, 0, c->width, c->height, place[0], place[1], place[0] + place[2], place[1] + place[3],
                    GL_COLOR_BUFFER_BIT, GL_LINEAR);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

#else

typedef int demoNoCanvas; /* there are no windows */

#endif
