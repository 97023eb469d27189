/* Where the shaders of a pass look: the pass is drawn once more with one that notes its fetches
 * (shaders/include/notes.glsl). */
#include "gl/gl.h"

#include <string.h>

/* "out vec4 y;" and "layout(location = 0) out vec4 y[8];" of a fragment shader become variables:
 * the note is the one output, and no device has room for it beside eight others. */
void txNotesTakeOutputs(char *fragment) {
  for (char *line = fragment; line && *line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *layout = "layout(location = ", *end = strchr(line, ')');
    size_t n = strncmp(line, layout, strlen(layout)) != 0 || !end ? 0 : (size_t)(end + 2 - line);
    if (!strncmp(line + n, "out ", 4) && strncmp(line, "out vec4 txPlace", 16) != 0)
      memset(line, ' ', n + 4);
  }
}

/* Vertices are drawn as points, each at a texel of its own. */
static void drawVertices(txPass *noting, const txPass *pass) {
  noting->shape = TX_POINTS;
  noting->count = txPassVertices(pass);
  noting->geometry = NULL;
  noting->blocks.count = 0;
  noting->rect = (txRect){0, 0, 0, 0};
}

clStatus txPassNote(clContext *context, const char *call, const txPass *pass, txStage stage,
                    txTexture *target, int which) {
  txPass noting = *pass;
  int n = 0;
  while (n < TX_MAX_UNIFORMS && pass->uniform[n].name)
    n++;
  if (n + 2 > TX_MAX_UNIFORMS || (stage == TX_FRAGMENT && pass->shape == TX_POINTS))
    return txFail(&context->error, TEXLA_UNSUPPORTED, call, "pass %s: its fetches cannot be noted",
                  pass->kernel);
  for (int i = 0; i < TX_MAX_TARGETS; i++)
    noting.target[i] = i ? NULL : target;
  noting.uniform[n] = (txUniform){"txWhich", 1, {(float)which}, NULL, true};
  noting.uniform[n + 1] = (txUniform){
      "txDrawn", 3, {(float)pass->first, (float)target->width, (float)target->height}, NULL, true};
  noting.first_layer = 0;
  noting.inside = (txRect){0, 0, 0, 0};
  noting.add = false;
  noting.notes = 1 + (int)stage;
  if (stage == TX_VERTEX)
    drawVertices(&noting, pass);
  if (stage == TX_GEOMETRY)
    noting.rect = (txRect){0, 0, 1, 1};
  return txPassRun(context, call, &noting);
}

/* A sampler whose border tells which source it is for. It reads zero nowhere: the shader sees to
 * that. */
GLuint txNotingSampler(clContext *context, int source, const txTexture *texture,
                       txSampling sampling) {
  GLuint *sampler = &context->noting[source];
  GLint filter = sampling == TX_BILINEAR ? GL_LINEAR : GL_NEAREST,
        id = 32 * (GLint)sampling + source + 1;
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
