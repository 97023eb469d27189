/* Good manners in a context shared with an application: what texla touches is saved, set to its default, and put back. */
#include "gl/gl.h"

static const GLenum switches[] = {GL_BLEND,     GL_DEPTH_TEST, GL_STENCIL_TEST,       GL_SCISSOR_TEST,
                                  GL_CULL_FACE, GL_DITHER,     GL_RASTERIZER_DISCARD, GL_PROGRAM_POINT_SIZE};
enum { SWITCHES = sizeof switches / sizeof *switches, UNITS = TX_MAX_SOURCES + TX_MAX_SCALARS };
static const GLenum pixel_store[2][4] = {
    {GL_PACK_ALIGNMENT, GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS, GL_PACK_SKIP_PIXELS},
    {GL_UNPACK_ALIGNMENT, GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS}};
static const GLenum blend_state[6] = {GL_BLEND_SRC_RGB,   GL_BLEND_DST_RGB,      GL_BLEND_SRC_ALPHA,
                                      GL_BLEND_DST_ALPHA, GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA};

static int unitCount(const clContext *context) {
  return context->info.max_sources < UNITS ? context->info.max_sources : UNITS;
}

static void setDefaults(void) {
  for (int i = 0; i < SWITCHES; i++)
    glDisable(switches[i]);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  for (int p = 0; p < 2; p++)
    for (int i = 0; i < 4; i++)
      glPixelStorei(pixel_store[p][i], i == 0 ? 4 : 0);
}

void txGlSave(const clContext *context, txGlState *s) {
  if (!context->options.adopt)
    return;
  glGetIntegerv(GL_CURRENT_PROGRAM, &s->program);
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &s->vertex_array);
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &s->draw_framebuffer);
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &s->read_framebuffer);
  glGetIntegerv(GL_ACTIVE_TEXTURE, &s->active_texture);
  glGetIntegerv(GL_VIEWPORT, s->viewport);
  glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &s->pack_buffer);
  glGetIntegerv(GL_PIXEL_UNPACK_BUFFER_BINDING, &s->unpack_buffer);
  glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &s->array_buffer);
  for (int i = 0; i < 4; i++) {
    glGetIntegerv(pixel_store[0][i], &s->pack[i]);
    glGetIntegerv(pixel_store[1][i], &s->unpack[i]);
  }
  for (int i = 0; i < 6; i++)
    glGetIntegerv(blend_state[i], &s->blend_function[i]);
  for (int i = 0; i < unitCount(context); i++) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &s->unit_texture[i]);
    glGetIntegerv(GL_SAMPLER_BINDING, &s->unit_sampler[i]);
  }
  for (int i = 0; i < SWITCHES; i++)
    s->enabled[i] = glIsEnabled(switches[i]);
  glGetBooleanv(GL_COLOR_WRITEMASK, s->color_mask);
  setDefaults();
}

void txGlRestore(const clContext *context, const txGlState *s) {
  if (!context->options.adopt)
    return;
  glUseProgram((GLuint)s->program);
  glBindVertexArray((GLuint)s->vertex_array);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)s->draw_framebuffer);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)s->read_framebuffer);
  glViewport(s->viewport[0], s->viewport[1], s->viewport[2], s->viewport[3]);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, (GLuint)s->pack_buffer);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, (GLuint)s->unpack_buffer);
  glBindBuffer(GL_ARRAY_BUFFER, (GLuint)s->array_buffer);
  for (int i = 0; i < 4; i++) {
    glPixelStorei(pixel_store[0][i], s->pack[i]);
    glPixelStorei(pixel_store[1][i], s->unpack[i]);
  }
  glBlendFuncSeparate((GLenum)s->blend_function[0], (GLenum)s->blend_function[1], (GLenum)s->blend_function[2],
                      (GLenum)s->blend_function[3]);
  glBlendEquationSeparate((GLenum)s->blend_function[4], (GLenum)s->blend_function[5]);
  for (int i = 0; i < unitCount(context); i++) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glBindTexture(GL_TEXTURE_2D, (GLuint)s->unit_texture[i]);
    glBindSampler((GLuint)i, (GLuint)s->unit_sampler[i]);
  }
  glActiveTexture((GLenum)s->active_texture);
  for (int i = 0; i < SWITCHES; i++)
    (s->enabled[i] ? glEnable : glDisable)(switches[i]);
  glColorMask(s->color_mask[0], s->color_mask[1], s->color_mask[2], s->color_mask[3]);
}
