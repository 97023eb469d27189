/* What a pass gives its program: textures with their samplers, and uniforms by name. */
#include "gl/gl.h"
#include "core/try.h"

#include <stdio.h>
#include <string.h>

/* A sampler whose border tells which source it is for. It reads zero nowhere: the shader sees to
 * that. */
static GLuint notingSampler(clContext *context, int source, const txTexture *texture,
                            txSampling sampling) {
  GLuint *sampler = &context->noting[source];
  GLint filter = sampling == TX_BILINEAR ? GL_LINEAR : GL_NEAREST;
  GLint id = 32 * (GLint)sampling + source + 1;
  if (!*sampler)
    glGenSamplers(1, sampler);
  glSamplerParameteri(*sampler, GL_TEXTURE_MIN_FILTER, filter);
  glSamplerParameteri(*sampler, GL_TEXTURE_MAG_FILTER, filter);
  glSamplerParameteri(*sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glSamplerParameteri(*sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  if (texture->format == TX_R32I || texture->format == TX_RG32I || texture->format == TX_RGBA32I)
    glSamplerParameterIiv(*sampler, GL_TEXTURE_BORDER_COLOR, (const GLint[4]){id});
  else
    glSamplerParameterfv(*sampler, GL_TEXTURE_BORDER_COLOR, (const GLfloat[4]){(GLfloat)id});
  return *sampler;
}

/* The slot of a uniform that is about to be given; NULL when the program does not use it. */
txUniformSlot *txSlotFind(const clContext *context, const txShaderProgram *program,
                          const char *name) {
  for (int i = 0; i < program->slots; i++)
    if (!strcmp(program->slot[i].name, name)) {
      program->slot[i].given = context->counters.passes;
      return &program->slot[i];
    }
  return NULL;
}

bool txSlotHolds(txUniformSlot *slot, const float *value, int count) {
  size_t bytes = (size_t)count * sizeof *value;
  if (slot->kept == count && !memcmp(slot->value, value, bytes))
    return true;
  slot->kept = 0;
  if (count > TX_KEPT)
    return false;
  memcpy(slot->value, value, bytes);
  slot->kept = count;
  return false;
}

/* A name that the program does not use is ignored. */
static clStatus bindTexture(clContext *context, const char *call, const txPass *pass,
                            const txShaderProgram *program, const char *name,
                            const txTexture *texture, txSampling sampling, int source) {
  const txUniformSlot *slot = txSlotFind(context, program, name);
  if (!slot || slot->unit < 0)
    return TEXLA_OK;
  if ((slot->type == GL_SAMPLER_2D_ARRAY) != (texture->layers > 1))
    return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                  "pass %s: the texture given for %s has %d layer%s", pass->kernel, name,
                  texture->layers, texture->layers > 1 ? "s" : "");
  GLuint sampler = context->sampler[sampling];
  if (pass->notes)
    sampler = notingSampler(context, source, texture, sampling);
  txTextureSample(context, slot->unit, texture, sampler);
  return TEXLA_OK;
}

/* `uniform vec2 <source>_texel`, where a shader has it, is 1 / size of that source. */
static void setTexelSize(const clContext *context, const txShaderProgram *program, const char *name,
                         const txTexture *texture) {
  char text[TX_NAME + 8];
  snprintf(text, sizeof text, "%s_texel", name);
  txUniformSlot *slot = txSlotFind(context, program, text);
  const float size[2] = {1.0f / (float)texture->width, 1.0f / (float)texture->height};
  if (slot && !txSlotHolds(slot, size, 2))
    glUniform2fv(slot->location, 1, size);
}

/* The type that a shader must have declared for what is given, and its name for a message. */
static GLenum typeOf(const txUniform *u, const char **text) {
  static const GLenum floats[4] = {GL_FLOAT, GL_FLOAT_VEC2, GL_FLOAT_VEC3, GL_FLOAT_VEC4};
  static const GLenum integers[4] = {GL_INT, GL_INT_VEC2, GL_INT_VEC3, GL_INT_VEC4};
  if (u->array) {
    *text = "vec4";
    return GL_FLOAT_VEC4;
  }
  if (u->integer) {
    *text = "integers";
    return integers[u->count - 1];
  }
  *text = "numbers";
  return floats[u->count - 1];
}

static void setIntegers(GLint at, const txUniform *u) {
  void (*const set[])(GLint, GLsizei, const GLint *) = {glUniform1iv, glUniform2iv, glUniform3iv,
                                                        glUniform4iv};
  GLint value[4];
  for (int k = 0; k < 4; k++)
    value[k] = (GLint)u->value[k];
  set[u->count - 1](at, 1, value);
}

static void setFloats(GLint at, const txUniform *u) {
  void (*const set[])(GLint, GLsizei, const GLfloat *) = {glUniform1fv, glUniform2fv, glUniform3fv,
                                                          glUniform4fv};
  set[u->count - 1](at, 1, u->value);
}

static clStatus setUniform(clContext *context, const char *call, const txPass *pass,
                           const txShaderProgram *program, const txUniform *u) {
  const char *given;
  txUniformSlot *slot = txSlotFind(context, program, u->name);
  if (!slot)
    return TEXLA_OK;
  if (slot->type != typeOf(u, &given))
    return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                  "pass %s: uniform %s has another type than the %d %s given", pass->kernel,
                  u->name, u->count, given);
  const float *numbers = u->array ? u->array : u->value;
  int count = u->array ? 4 * u->count : u->count;
  if (txSlotHolds(slot, numbers, count))
    return TEXLA_OK;
  if (u->array)
    glUniform4fv(slot->location, u->count, u->array);
  else if (u->integer)
    setIntegers(slot->location, u);
  else
    setFloats(slot->location, u);
  return TEXLA_OK;
}

/* What a program reads must be given in each pass: otherwise it would see what an earlier pass
 * left. */
static clStatus checkGiven(clContext *context, const char *call, const txPass *pass,
                           const txShaderProgram *program) {
  for (int i = 0; i < program->slots; i++)
    if (program->slot[i].given != context->counters.passes)
      return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                    "pass %s reads %s \"%s\", which was not given", pass->kernel,
                    program->slot[i].unit >= 0 ? "the texture" : "the uniform",
                    program->slot[i].name);
  return TEXLA_OK;
}

/* Sources, scalars and uniforms; then what the program reads has to be all there. */
clStatus txPassBind(clContext *context, const char *call, const txShaderProgram *program,
                    const txPass *pass, int sources) {
  static const char *const scalar_name[TX_MAX_SCALARS] = {"txScalar0", "txScalar1", "txScalar2",
                                                          "txScalar3"};
  for (int i = 0; i < sources; i++) {
    const txSource *s = &pass->source[i];
    TRY(bindTexture(context, call, pass, program, s->name, s->texture, s->sampling, i));
    setTexelSize(context, program, s->name, s->texture);
  }
  for (int i = 0; i < TX_MAX_SCALARS; i++)
    TRY(bindTexture(context, call, pass, program, scalar_name[i],
                    pass->scalar[i] ? pass->scalar[i] : context->one, TX_EDGE, TX_MAX_SOURCES + i));
  for (int i = 0; i < TX_MAX_UNIFORMS && pass->uniform[i].name; i++)
    TRY(setUniform(context, call, pass, program, &pass->uniform[i]));
  /* The draw calls set this one. */
  txSlotFind(context, program, "txSpan");
  /* This one stays what linking has made it (include/df64.glsl). */
  txSlotFind(context, program, "txZero");
  if (program->blocks != (pass->blocks.count > 0))
    return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                  "pass %s has %d uniform blocks, but its shader reads %d", pass->kernel,
                  pass->blocks.count, program->blocks);
  return checkGiven(context, call, pass, program);
}
