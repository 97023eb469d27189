/* One framebuffer object per set of targets, made at its first use. */
#include "gl/gl.h"

#include <stdlib.h>
#include <string.h>

static txFramebuffer *find(clContext *context, const GLuint *names) {
  for (int i = context->framebuffers - 1; i >= 0; i--)
    if (!memcmp(context->framebuffer[i].target, names, sizeof context->framebuffer[i].target))
      return &context->framebuffer[i];
  return NULL;
}

static clStatus create(clContext *context, const char *call, const GLuint *names, int count) {
  if (context->framebuffers == context->framebuffer_capacity) {
    int capacity = context->framebuffer_capacity ? 2 * context->framebuffer_capacity : 16;
    txFramebuffer *grown = realloc(context->framebuffer, (size_t)capacity * sizeof *grown);
    if (!grown)
      return txFail(&context->error, TEXLA_OUT_OF_MEMORY, call, "no memory for a framebuffer");
    context->framebuffer = grown;
    context->framebuffer_capacity = capacity;
  }
  txFramebuffer *f = &context->framebuffer[context->framebuffers];
  memcpy(f->target, names, sizeof f->target);
  glGenFramebuffers(1, &f->name);
  glBindFramebuffer(GL_FRAMEBUFFER, f->name);
  GLenum buffers[TX_MAX_TARGETS];
  for (int i = 0; i < count; i++) {
    buffers[i] = GL_COLOR_ATTACHMENT0 + (GLenum)i;
    glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, names[i], 0);
  }
  glDrawBuffers(count, buffers);
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  GLenum state = glCheckFramebufferStatus(GL_FRAMEBUFFER);
  if (state != GL_FRAMEBUFFER_COMPLETE) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &f->name);
    return txFail(&context->error, TEXLA_DEVICE_ERROR, call,
                  "this device cannot render to these %d textures together (framebuffer status 0x%04x)", count, state);
  }
  context->framebuffers++;
  return TEXLA_OK;
}

clStatus txFramebufferBind(clContext *context, const char *call, txTexture *const *target, int count) {
  GLuint names[TX_MAX_TARGETS] = {0};
  for (int i = 0; i < count; i++)
    names[i] = target[i]->name;
  txFramebuffer *f = find(context, names);
  if (!f)
    return create(context, call, names, count);
  glBindFramebuffer(GL_FRAMEBUFFER, f->name);
  return TEXLA_OK;
}

void txFramebufferForget(clContext *context, GLuint texture) {
  for (int i = context->framebuffers - 1; i >= 0; i--)
    for (int k = 0; k < TX_MAX_TARGETS; k++)
      if (context->framebuffer[i].target[k] == texture) {
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
