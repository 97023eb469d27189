/* What is bound to the texture units. While the OpenGL context is texla's alone (txContextBorrow)
 * nothing is bound that is bound already: in a browser each call is a message to a process. */
#include "gl/gl.h"

#include <string.h>

GLenum txTextureTarget(const txTexture *t) {
  return t->layers > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
}

void txContextTouched(clContext *context) {
  memset(context->bound, 0, sizeof context->bound);
}

void txTextureBind(clContext *context, const txTexture *texture) {
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(txTextureTarget(texture), texture->name);
  context->bound[0].texture = texture->name;
}

void txTextureSample(clContext *context, int unit, const txTexture *texture, GLuint sampler) {
  txBound *bound = &context->bound[unit];
  bool alone = context->borrowed;
  if (!alone || bound->texture != texture->name) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(txTextureTarget(texture), texture->name);
  }
  if (!alone || bound->sampler != sampler)
    glBindSampler((GLuint)unit, sampler);
  *bound = (txBound){texture->name, sampler};
}

/* Its name may be that of another texture next. */
void txTextureUnbind(clContext *context, GLuint name) {
  for (int i = 0; i < TX_UNITS; i++)
    if (context->bound[i].texture == name)
      context->bound[i].texture = 0;
}
