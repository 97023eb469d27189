/* Where the shaders of a pass look: the pass is drawn once more with one that notes its fetches
 * (shaders/include/notes.glsl). */
#include "gl/gl.h"

/* Vertices are drawn as points, each at a texel of its own. */
static void notesDrawVertices(txPass *noting, const txPass *pass) {
  noting->shape = TX_POINTS;
  noting->count = txPassVertices(pass);
  noting->geometry = NULL;
  noting->blocks.count = 0;
  noting->rect = (txRect){0, 0, 0, 0};
}

/* The same pass, but with another program and one target, into which each fragment writes what is
 * asked for. */
clStatus txPassNote(clContext *context, const char *call, const txPass *pass, txStage stage,
                    txTexture *target, int which) {
  txPass noting = *pass;
  int n = 0;
  while (n < TX_MAX_UNIFORMS && pass->uniform[n].name)
    n++;
  /* Which source a fetch is of, a border tells, which OpenGL ES has not. */
  if (context->es || n + 2 > TX_MAX_UNIFORMS || (stage == TX_FRAGMENT && pass->shape == TX_POINTS))
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
    notesDrawVertices(&noting, pass);
  if (stage == TX_GEOMETRY)
    noting.rect = (txRect){0, 0, 1, 1};
  return txPassRun(context, call, &noting);
}
