/* Where the fragments of a pass look: the pass is drawn once more with a shader that notes its fetches (shaders/include/notes.glsl). */
#include "gl/gl.h"

clStatus txPassNote(clContext *context, const char *call, const txPass *pass, txTexture *target, int which) {
  txPass noting = *pass;
  int n = 0;
  while (n < TX_MAX_UNIFORMS && pass->uniform[n].name)
    n++;
  if (n == TX_MAX_UNIFORMS || pass->blocks.count || pass->shape == TX_POINTS)
    return txFail(&context->error, TEXLA_UNSUPPORTED, call, "pass %s: its fetches cannot be noted", pass->kernel);
  for (int i = 0; i < TX_MAX_TARGETS; i++)
    noting.target[i] = i ? NULL : target;
  noting.uniform[n] = (txUniform){"txWhich", 1, {(float)which}, NULL, true};
  noting.first_layer = 0;
  noting.inside = (txRect){0, 0, 0, 0};
  noting.add = false;
  noting.notes = true;
  return txPassRun(context, call, &noting);
}

/* A sampler whose border tells which source it is for. It reads zero nowhere: the shader sees to that. */
GLuint txNotingSampler(clContext *context, int source, const txTexture *texture, txSampling sampling) {
  GLuint *sampler = &context->noting[source];
  GLint filter = sampling == TX_BILINEAR ? GL_LINEAR : GL_NEAREST, id = 32 * (GLint)sampling + source + 1;
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
