/* Nothing is waited for. */
#include "gl/gl.h"
#include "core/try.h"

void txContextRehearse(clContext *context, txRehearsal rehearsal) {
  if (txContextEnter(context, "clContextRehearse"))
    return;
  if (context->rehearsal == TX_DRAWING) {
    if (context->rehearsed)
      glDeleteSync(context->rehearsed);
    context->rehearsed = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
  }
  /* Nobody has looked whether those that it made are complete. */
  if (context->rehearsal)
    txFramebuffersDestroy(context);
  if (rehearsal == TX_DRAWING)
    txProgramsFinish(context);
  context->rehearsal = rehearsal;
}

bool txContextRehearsed(clContext *context) {
  if (txContextEnter(context, "clContextRehearsed") || !txProgramsReady(context))
    return false;
  if (!context->rehearsed)
    return true;
  if (glClientWaitSync(context->rehearsed, 0, 0) == GL_TIMEOUT_EXPIRED)
    return false;
  glDeleteSync(context->rehearsed);
  context->rehearsed = NULL;
  return true;
}

clStatus txContextCheck(clContext *context) {
  TRY(txContextEnter(context, "clContextCheck"));
  return txGlCheck(context, "clContextCheck", "what was drawn since the last look");
}

clStatus txGlCheckLater(clContext *context, const char *call, const char *what) {
  if (context->borrowed && txDeviceIsApart())
    return TEXLA_OK;
  return txGlCheck(context, call, what);
}
