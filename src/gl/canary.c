/* Is the OpenGL context still alive? After a reset of the device, or when it has run out of
 * something, a driver may drop draws and reads without an error: then what is read back is whatever
 * the memory held. Three things notice.
 * - Before a read the first word of its destination is set to a number that no result has. Where it
 *   is still there, ask:
 * - A texel is rendered, with a number that is another one each time, and read. Draws or reads are
 *   being dropped where another number arrives.
 * - Drivers that know of resets are asked for them.
 * A loss is for good, so that a texel rendered after the results answers for all of them. It costs
 * a pass and a read; so it goes with large reads, which take much longer, and with others when it
 * has not been asked for the time of 500 passes. */
#include "gl/gl.h"
#include "core/try.h"
#include "platform/platform.h"

#include <math.h>
#include <string.h>

static const txRect texel = {0, 0, 1, 1};

/* OpenGL 4.5, KHR_robustness, or ARB_robustness; GL_NO_ERROR where there is none. */
static GLenum resetStatus(const clContext *context) {
  if (context->plain)
    return GL_NO_ERROR;
  PFNGLGETGRAPHICSRESETSTATUSPROC ask = glGetGraphicsResetStatus;
  if (!ask)
    ask = glGetGraphicsResetStatusARB;
  if (ask)
    return ask();
  return GL_NO_ERROR;
}

void txCanaryStart(clContext *context) {
  const double most = 0.05;
  context->canary.interval = fmin(most, 500e-9 * context->traits.pass_ns);
}

/* A browser tells of a loss by itself. */
bool txCanaryDue(const clContext *context, size_t bytes) {
  enum { LARGE = 1 << 16 };
  if (txDeviceIsApart())
    return false;
  return bytes >= LARGE || txNow() - context->canary.asked >= context->canary.interval;
}

clStatus txCanaryRender(clContext *context, const char *call) {
  const txPass pass = {.kernel = "canary", .vertex = "canary"};
  const txShaderProgram *program;
  txCanary *canary = &context->canary;
  if (!canary->texture)
    TRY(txTextureCreate(&canary->texture, context, call, TX_RGBA32F, 1, 1));
  TRY(txProgramFind(context, call, &pass, &program));
  TRY(txFramebufferBind(context, call, &(txAttachment){canary->texture, 0}, 1));
  canary->serial = canary->serial % (1 << 24) + 1;
  canary->asked = txNow();
  glUseProgram(program->name);
  glUniform1f(program->slot[0].location, (GLfloat)canary->serial);
  glViewport(texel.x, texel.y, texel.width, texel.height);
  glBindVertexArray(context->vertex_array);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  return TEXLA_OK;
}

/* All four components must be right: a driver that drops reads may leave some of another texel. */
clStatus txCanaryCheck(clContext *context, const char *call, const float value[4], int serial) {
  GLenum reset = resetStatus(context);
  if (reset == GL_GUILTY_CONTEXT_RESET)
    return txContextLose(context, call, "the device was reset because of this context");
  if (reset != GL_NO_ERROR)
    return txContextLose(context, call, "the device was reset");
  for (int k = 0; k < 4; k++)
    if (!(value[k] == (float)serial))
      return txContextLose(context, call, "the driver drops draws or reads without an error");
  return TEXLA_OK;
}

clStatus txCanaryAsk(clContext *context, const char *call) {
  float value[4] = {0};
  TRY(txCanaryRender(context, call));
  glReadPixels(texel.x, texel.y, texel.width, texel.height, GL_RGBA, GL_FLOAT, value);
  TRY(txGlCheck(context, call, "reading back"));
  return txCanaryCheck(context, call, value, context->canary.serial);
}

/* As a float it is a NaN that no operation makes. */
static const uint32_t mark = 0x7fa5c3e1;

uint32_t txCanaryMark(void *values) {
  uint32_t before;
  memcpy(&before, values, sizeof before);
  memcpy(values, &mark, sizeof mark);
  return before;
}

clStatus txCanaryLook(clContext *context, const char *call, void *values, uint32_t before,
                      clStatus status) {
  if (memcmp(values, &mark, sizeof mark) != 0)
    return status;
  if (!status)
    status = txCanaryAsk(context, call);
  if (status)
    memcpy(values, &before, sizeof before);
  return status;
}
