/* Good manners in a context shared with an application: what texla touches is saved, set to its
 * default, and put back. */
#include "gl/gl.h"
#include "core/try.h"

/* Those that OpenGL ES has, too, come first. */
enum { ES_SWITCHES = 7, ES_PIXEL_STORE = 8 };
static const GLenum switches[TX_SWITCHES] = {GL_DEPTH_TEST,
                                             GL_STENCIL_TEST,
                                             GL_SCISSOR_TEST,
                                             GL_CULL_FACE,
                                             GL_DITHER,
                                             GL_RASTERIZER_DISCARD,
                                             GL_SAMPLE_ALPHA_TO_COVERAGE,
                                             GL_PROGRAM_POINT_SIZE,
                                             GL_PRIMITIVE_RESTART,
                                             GL_COLOR_LOGIC_OP,
                                             GL_POLYGON_SMOOTH,
                                             GL_SAMPLE_MASK,
                                             GL_CLIP_DISTANCE0,
                                             GL_CLIP_DISTANCE1,
                                             GL_CLIP_DISTANCE2,
                                             GL_CLIP_DISTANCE3,
                                             GL_CLIP_DISTANCE4,
                                             GL_CLIP_DISTANCE5,
                                             GL_CLIP_DISTANCE0 + 6,
                                             GL_CLIP_DISTANCE0 + 7};
static const struct {
  GLenum name;
  GLint initial;
} pixel_store[TX_PIXEL_STORE] = {{GL_PACK_ALIGNMENT, 4},   {GL_PACK_ROW_LENGTH, 0},
                                 {GL_PACK_SKIP_ROWS, 0},   {GL_PACK_SKIP_PIXELS, 0},
                                 {GL_UNPACK_ALIGNMENT, 4}, {GL_UNPACK_ROW_LENGTH, 0},
                                 {GL_UNPACK_SKIP_ROWS, 0}, {GL_UNPACK_SKIP_PIXELS, 0},
                                 {GL_PACK_SWAP_BYTES, 0},  {GL_UNPACK_SWAP_BYTES, 0}};
static const GLenum blend_state[6] = {GL_BLEND_SRC_RGB,      GL_BLEND_DST_RGB,
                                      GL_BLEND_SRC_ALPHA,    GL_BLEND_DST_ALPHA,
                                      GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA};

static int unitCount(const clContext *context) {
  return context->info.max_sources < TX_UNITS ? context->info.max_sources : TX_UNITS;
}

static int targetCount(const clContext *context) {
  return context->info.max_targets < TX_MAX_TARGETS ? context->info.max_targets : TX_MAX_TARGETS;
}

static int switchCount(const clContext *context) {
  return context->es ? ES_SWITCHES : TX_SWITCHES;
}

static int pixelStoreCount(const clContext *context) {
  return context->es ? ES_PIXEL_STORE : TX_PIXEL_STORE;
}

/* What OpenGL ES has no switches for is as texla wants it. Clip space may be upside down. */
static void setDesktopDefaults(const clContext *context) {
  if (context->clip_control)
    glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glPointSize(1);
  glClampColor(GL_CLAMP_READ_COLOR, GL_FIXED_ONLY);
  glLogicOp(GL_COPY);
}

static void stateSetDefaults(const clContext *context) {
  for (int i = 0; i < switchCount(context); i++)
    glDisable(switches[i]);
  glDisable(GL_BLEND);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  if (!context->es)
    setDesktopDefaults(context);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  for (int i = 0; i < pixelStoreCount(context); i++)
    glPixelStorei(pixel_store[i].name, pixel_store[i].initial);
}

/* What is bound, to all units that texla uses. */
static void saveBindings(const clContext *context, txGlState *s) {
  glGetIntegerv(GL_CURRENT_PROGRAM, &s->program);
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &s->vertex_array);
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &s->draw_framebuffer);
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &s->read_framebuffer);
  glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &s->pack_buffer);
  glGetIntegerv(GL_PIXEL_UNPACK_BUFFER_BINDING, &s->unpack_buffer);
  glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &s->array_buffer);
  glGetIntegerv(GL_UNIFORM_BUFFER_BINDING, &s->uniform_buffer);
  glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, 0, &s->block_buffer);
  glGetInteger64i_v(GL_UNIFORM_BUFFER_START, 0, &s->block_start);
  glGetInteger64i_v(GL_UNIFORM_BUFFER_SIZE, 0, &s->block_size);
  glGetIntegerv(GL_ACTIVE_TEXTURE, &s->active_texture);
  for (int i = 0; i < unitCount(context); i++) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &s->unit_texture[i]);
    glGetIntegerv(GL_TEXTURE_BINDING_2D_ARRAY, &s->unit_array[i]);
    glGetIntegerv(GL_SAMPLER_BINDING, &s->unit_sampler[i]);
  }
}

/* What OpenGL ES has not, or not for each target. */
static void saveDesktop(const clContext *context, txGlState *s) {
  glGetIntegerv(GL_POLYGON_MODE, s->polygon_mode);
  if (context->clip_control) {
    glGetIntegerv(GL_CLIP_ORIGIN, &s->clip[0]);
    glGetIntegerv(GL_CLIP_DEPTH_MODE, &s->clip[1]);
  }
  glGetIntegerv(GL_CLAMP_READ_COLOR, &s->clamp_read);
  glGetFloatv(GL_POINT_SIZE, &s->point_size);
  glGetIntegerv(GL_LOGIC_OP_MODE, &s->logic_operation);
  for (int i = 0; i < targetCount(context); i++) {
    s->blend[i] = glIsEnabledi(GL_BLEND, (GLuint)i);
    glGetBooleani_v(GL_COLOR_WRITEMASK, (GLuint)i, s->color_mask[i]);
  }
}

static void restoreDesktop(const clContext *context, const txGlState *s) {
  if (context->clip_control)
    glClipControl((GLenum)s->clip[0], (GLenum)s->clip[1]);
  /* Core profiles have one mode for both sides. */
  glPolygonMode(GL_FRONT_AND_BACK, (GLenum)s->polygon_mode[0]);
  glClampColor(GL_CLAMP_READ_COLOR, (GLenum)s->clamp_read);
  glPointSize(s->point_size);
  glLogicOp((GLenum)s->logic_operation);
  for (int i = 0; i < targetCount(context); i++) {
    const GLboolean *mask = s->color_mask[i];
    if (s->blend[i])
      glEnablei(GL_BLEND, (GLuint)i);
    else
      glDisablei(GL_BLEND, (GLuint)i);
    glColorMaski((GLuint)i, mask[0], mask[1], mask[2], mask[3]);
  }
}

static void restoreEs(const txGlState *s) {
  const GLboolean *mask = s->color_mask[0];
  if (s->blend[0])
    glEnable(GL_BLEND);
  else
    glDisable(GL_BLEND);
  glColorMask(mask[0], mask[1], mask[2], mask[3]);
}

/* Defaults for all that texla relies on are set as well. */
void txGlSave(clContext *context, txGlState *s) {
  if (!context->options.adopt || context->borrowed)
    return;
  /* An error of the application's must not fail a call of texla. */
  GLenum pending = txGlClearErrors();
  if (pending)
    txContextLog(context, TEXLA_LOG_WARNING, "the application had left the OpenGL error 0x%04x",
                 pending);
  saveBindings(context, s);
  glGetIntegerv(GL_VIEWPORT, s->viewport);
  glGetIntegerv(GL_SCISSOR_BOX, s->scissor);
  for (int i = 0; i < pixelStoreCount(context); i++)
    glGetIntegerv(pixel_store[i].name, &s->pixel_store[i]);
  for (int i = 0; i < 6; i++)
    glGetIntegerv(blend_state[i], &s->blend_function[i]);
  for (int i = 0; i < switchCount(context); i++)
    s->enabled[i] = glIsEnabled(switches[i]);
  if (context->es) {
    s->blend[0] = glIsEnabled(GL_BLEND);
    glGetBooleanv(GL_COLOR_WRITEMASK, s->color_mask[0]);
  } else {
    saveDesktop(context, s);
  }
  stateSetDefaults(context);
}

static void restoreBindings(const clContext *context, const txGlState *s) {
  glUseProgram((GLuint)s->program);
  glBindVertexArray((GLuint)s->vertex_array);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)s->draw_framebuffer);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)s->read_framebuffer);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, (GLuint)s->pack_buffer);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, (GLuint)s->unpack_buffer);
  glBindBuffer(GL_ARRAY_BUFFER, (GLuint)s->array_buffer);
  if (s->block_buffer && s->block_size)
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, (GLuint)s->block_buffer, (GLintptr)s->block_start,
                      (GLsizeiptr)s->block_size);
  else
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, (GLuint)s->block_buffer);
  glBindBuffer(GL_UNIFORM_BUFFER, (GLuint)s->uniform_buffer);
  for (int i = 0; i < unitCount(context); i++) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glBindTexture(GL_TEXTURE_2D, (GLuint)s->unit_texture[i]);
    glBindTexture(GL_TEXTURE_2D_ARRAY, (GLuint)s->unit_array[i]);
    glBindSampler((GLuint)i, (GLuint)s->unit_sampler[i]);
  }
  glActiveTexture((GLenum)s->active_texture);
}

void txGlRestore(const clContext *context, const txGlState *s) {
  if (!context->options.adopt || context->borrowed)
    return;
  restoreBindings(context, s);
  glViewport(s->viewport[0], s->viewport[1], s->viewport[2], s->viewport[3]);
  glScissor(s->scissor[0], s->scissor[1], s->scissor[2], s->scissor[3]);
  for (int i = 0; i < pixelStoreCount(context); i++)
    glPixelStorei(pixel_store[i].name, s->pixel_store[i]);
  glBlendFuncSeparate((GLenum)s->blend_function[0], (GLenum)s->blend_function[1],
                      (GLenum)s->blend_function[2], (GLenum)s->blend_function[3]);
  glBlendEquationSeparate((GLenum)s->blend_function[4], (GLenum)s->blend_function[5]);
  for (int i = 0; i < switchCount(context); i++)
    if (s->enabled[i])
      glEnable(switches[i]);
    else
      glDisable(switches[i]);
  if (context->es)
    restoreEs(s);
  else
    restoreDesktop(context, s);
}

clStatus txContextBorrow(clContext *context) {
  TRY(txContextEnter(context, "clContextBorrow"));
  txGlSave(context, &context->before);
  txContextTouched(context);
  context->borrowed = true;
  return TEXLA_OK;
}

void txContextGiveBack(clContext *context) {
  bool borrowed = context->borrowed;
  context->borrowed = false;
  if (borrowed)
    txGlRestore(context, &context->before);
}
