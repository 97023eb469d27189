#include "common/canvas.h"

#if TEXLA_HAVE_WINDOW

#include <GL/glew.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

struct demoCanvas {
  /* of the picture's texture */
  int width, height;
  /* the picture in bytes */
  GLuint texture, framebuffer;
  /* what is drawn into: 0 is the window; of a texture, that texture */
  GLuint screen, screen_texture;
  /* programs: of the picture's numbers; of its bytes, to any size; of rectangles */
  GLuint unpack, enlarge, fill;
  /* vertex arrays: without a buffer; with the rectangles' one */
  GLuint nothing, corner;
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

/* As demoPaintRead has it where the size doubles: each pixel lies a quarter of the way to its
 * neighbours. */
static const char enlarge_fragment[] =
    "uniform sampler2D picture;\n"
    "uniform vec4 place; // left, bottom, width, height in the window\n"
    "out vec4 colour;\n"
    "void main() { colour = vec4(texture(picture, (gl_FragCoord.xy - place.xy) / place.zw).rgb, "
    "1.); }\n";

/* A rectangle is an instance of a strip of two triangles. */
static const char fill_vertex[] =
    "layout(location = 0) in ivec4 sides; // left, top, right, bottom, from the top on\n"
    "layout(location = 1) in vec4 rgb_cover;\n"
    "uniform ivec2 size; // of the window\n"
    "flat out vec4 ink;\n"
    "void main() {\n"
    "  ink = vec4(rgb_cover.rgb * rgb_cover.a, rgb_cover.a);\n"
    "  vec2 p = vec2(gl_VertexID % 2 == 0 ? sides.x : sides.z, size.y - (gl_VertexID / 2 == 0 ? "
    "sides.y : sides.w));\n"
    "  gl_Position = vec4(2. * p / vec2(size) - 1., 0., 1.);\n"
    "}\n";

static const char fill_fragment[] = "flat in vec4 ink;\n"
                                    "out vec4 colour;\n"
                                    "void main() { colour = ink; }\n";

static GLuint programOf(const char *vertex, const char *fragment) {
  const char *source[2] = {vertex, fragment};
  const char *version = (const char *)glGetString(GL_VERSION), *head = "#version 330\n";
  GLuint program = glCreateProgram();
  GLint linked = GL_FALSE;
  if (version && strstr(version, "OpenGL ES"))
    head = "#version 300 es\nprecision highp float;\nprecision highp int;\n"
           "precision highp sampler2D;\n";
  for (int k = 0; k < 2; k++) {
    GLuint shader = glCreateShader(k ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
    glShaderSource(shader, 2, (const char *[]){head, source[k]}, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    /* lives as long as the program */
    glDeleteShader(shader);
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
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
  glGenFramebuffers(1, &c->framebuffer);
}

static void resizeTexture(demoCanvas *c, int width, int height) {
  if (width == c->width && height == c->height)
    return;
  c->width = width;
  c->height = height;
  glBindTexture(GL_TEXTURE_2D, c->texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glBindTexture(GL_TEXTURE_2D, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, c->framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, c->texture, 0);
}

static void createRectangles(demoCanvas *c) {
  glGenVertexArrays(1, &c->nothing);
  glGenVertexArrays(1, &c->corner);
  glGenBuffers(1, &c->rectangles);
  glBindVertexArray(c->corner);
  glBindBuffer(GL_ARRAY_BUFFER, c->rectangles);
  glVertexAttribIPointer(0, 4, GL_INT, sizeof(demoRectangle),
                         (void *)offsetof(demoRectangle, left));
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(demoRectangle),
                        (void *)offsetof(demoRectangle, rgb));
  for (GLuint k = 0; k < 2; k++) {
    glEnableVertexAttribArray(k);
    glVertexAttribDivisor(k, 1);
  }
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindVertexArray(0);
}

demoCanvas *demoCanvasCreate(void) {
  demoCanvas *c = txAllocate(NULL, "canvas", 1, sizeof *c, "a canvas");
  if (!c)
    return NULL;
  c->unpack = programOf(whole_vertex, unpack_fragment);
  c->enlarge = programOf(whole_vertex, enlarge_fragment);
  c->fill = programOf(fill_vertex, fill_fragment);
  createTexture(c);
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
  glDeleteFramebuffers(1, &c->framebuffer);
  glDeleteFramebuffers(1, &c->screen);
  glDeleteTextures(1, &c->texture);
  glDeleteTextures(1, &c->screen_texture);
  free(c);
}

bool demoCanvasOffscreen(demoCanvas *c, int width, int height) {
  glGenTextures(1, &c->screen_texture);
  glGenFramebuffers(1, &c->screen);
  glBindTexture(GL_TEXTURE_2D, c->screen_texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glBindTexture(GL_TEXTURE_2D, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, c->screen);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, c->screen_texture, 0);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void demoCanvasFinish(void) {
  glFinish();
}

/* A part of the framebuffer that is bound (left, bottom, width, height) <- what a program makes of
 * the texture. */
static void drawWhole(const demoCanvas *c, const int place[4], GLuint program, GLuint texture) {
  glViewport(place[0], place[1], place[2], place[3]);
  glUseProgram(program);
  glUniform1i(glGetUniformLocation(program, "picture"), 0);
  glUniform4f(glGetUniformLocation(program, "place"), (float)place[0], (float)place[1],
              (float)place[2], (float)place[3]);
  glActiveTexture(GL_TEXTURE0);
  /* that of a pass would stay */
  glBindSampler(0, 0);
  glBindTexture(GL_TEXTURE_2D, texture);
  glBindVertexArray(c->nothing);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindTexture(GL_TEXTURE_2D, 0);
}

/* The picture is unpacked first: the texture unit enlarges bytes at a quarter of the cost. */
static void drawPicture(demoCanvas *c, const clVectorView *picture, const demoOverlay *overlay) {
  const demoFrame *f = &overlay->field;
  resizeTexture(c, (int)picture->row, picture->height);
  glBindFramebuffer(GL_FRAMEBUFFER, c->framebuffer);
  drawWhole(c, (int[]){0, 0, c->width, c->height}, c->unpack, picture->name);
  glBindFramebuffer(GL_FRAMEBUFFER, c->screen);
  glClear(GL_COLOR_BUFFER_BIT);
  drawWhole(c, (int[]){f->left, overlay->height - f->top - f->height, f->width, f->height},
            c->enlarge, c->texture);
}

static void drawRectangles(const demoCanvas *c, const demoOverlay *overlay) {
  glViewport(0, 0, overlay->width, overlay->height);
  glUseProgram(c->fill);
  glUniform2i(glGetUniformLocation(c->fill, "size"), overlay->width, overlay->height);
  glBindBuffer(GL_ARRAY_BUFFER, c->rectangles);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)overlay->count * sizeof *overlay->list),
               overlay->list, GL_STREAM_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindVertexArray(c->corner);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, overlay->count);
  glDisable(GL_BLEND);
}

void demoCanvasDraw(demoCanvas *c, const clVectorView *picture, const demoOverlay *overlay) {
  if (picture)
    drawPicture(c, picture, overlay);
  else
    glClear(GL_COLOR_BUFFER_BIT);
  drawRectangles(c, overlay);
  glBindVertexArray(0);
  glUseProgram(0);
}

#else

demoCanvas *demoCanvasCreate(void) {
  return NULL;
}

void demoCanvasDestroy(demoCanvas *c) {
  (void)c;
}

bool demoCanvasOffscreen(demoCanvas *c, int width, int height) {
  (void)c, (void)width, (void)height;
  return false;
}

void demoCanvasFinish(void) {
}

void demoCanvasDraw(demoCanvas *c, const clVectorView *picture, const demoOverlay *overlay) {
  (void)c, (void)picture, (void)overlay;
}

#endif
