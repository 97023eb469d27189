/* One framebuffer object per set of targets, made at its first use. */
#include "gl/gl.h"
#include "core/allocate.h"

#include <stdlib.h>
#include <string.h>

static txFramebuffer *framebuffersFind(clContext *context, const txFramebuffer *wanted) {
  for (int i = context->framebuffers - 1; i >= 0; i--)
    if (!memcmp(context->framebuffer[i].target, wanted->target, sizeof wanted->target))
      return &context->framebuffer[i];
  return NULL;
}

/* Where such targets have been rendered to, these can be, too: in a browser a question waits until
 * all is rendered that was asked for before it. */
static bool isKnown(const clContext *context, const txFramebuffer *wanted) {
  for (int i = 0; i < context->framebuffers; i++) {
    const txFramebuffer *known = &context->framebuffer[i];
    if (known->targets == wanted->targets &&
        !memcmp(known->format, wanted->format, sizeof wanted->format))
      return true;
  }
  return false;
}

static void attach(GLenum place, const txAttachment *a) {
  if (a->texture->layers > 1)
    glFramebufferTextureLayer(GL_FRAMEBUFFER, place, a->texture->name, 0, a->layer);
  else
    glFramebufferTexture2D(GL_FRAMEBUFFER, place, GL_TEXTURE_2D, a->texture->name, 0);
}

/* Makes a framebuffer for targets that were not rendered to together before. It is kept only where
 * it is complete. */
static clStatus framebuffersCreate(clContext *context, const char *call, txFramebuffer f,
                                   const txAttachment *target, int count) {
  if (context->framebuffers == context->framebuffer_capacity) {
    int capacity = context->framebuffer_capacity ? 2 * context->framebuffer_capacity : 16;
    txFramebuffer *grown = txReallocate(&context->error, call, context->framebuffer,
                                        (size_t)capacity, sizeof *grown, "a framebuffer");
    if (!grown)
      return TEXLA_OUT_OF_MEMORY;
    context->framebuffer = grown;
    context->framebuffer_capacity = capacity;
  }
  glGenFramebuffers(1, &f.name);
  glBindFramebuffer(GL_FRAMEBUFFER, f.name);
  GLenum buffers[TX_MAX_TARGETS];
  for (int i = 0; i < count; i++) {
    buffers[i] = GL_COLOR_ATTACHMENT0 + (GLenum)i;
    attach(buffers[i], &target[i]);
  }
  glDrawBuffers(count, buffers);
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  GLenum state = GL_FRAMEBUFFER_COMPLETE;
  if (!context->rehearsal && !isKnown(context, &f))
    state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
  if (state != GL_FRAMEBUFFER_COMPLETE) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &f.name);
    return txFail(
        &context->error, TEXLA_DEVICE_ERROR, call,
        "this device cannot render to these %d textures together (framebuffer status 0x%04x)",
        count, state);
  }
  context->framebuffer[context->framebuffers++] = f;
  return TEXLA_OK;
}

clStatus txFramebufferBind(clContext *context, const char *call, const txAttachment *target,
                           int count) {
  txFramebuffer wanted = {.targets = count};
  for (int i = 0; i < count; i++) {
    wanted.format[i] = target[i].texture->format;
    wanted.target[i].texture = target[i].texture->name;
    wanted.target[i].layer = target[i].layer;
  }
  const txFramebuffer *known = framebuffersFind(context, &wanted);
  if (!known)
    return framebuffersCreate(context, call, wanted, target, count);
  glBindFramebuffer(GL_FRAMEBUFFER, known->name);
  return TEXLA_OK;
}

void txFramebufferForget(clContext *context, GLuint texture) {
  for (int i = context->framebuffers - 1; i >= 0; i--)
    for (int k = 0; k < TX_MAX_TARGETS; k++)
      if (context->framebuffer[i].target[k].texture == texture) {
        glDeleteFramebuffers(1, &context->framebuffer[i].name);
        context->framebuffer[i] = context->framebuffer[--context->framebuffers];
        break;
      }
}

void txFramebuffersDestroy(clContext *context) {
  for (int i = 0; i < context->framebuffers && !context->closed; i++)
    glDeleteFramebuffers(1, &context->framebuffer[i].name);
  free(context->framebuffer);
  context->framebuffer = NULL;
  context->framebuffers = context->framebuffer_capacity = 0;
}
