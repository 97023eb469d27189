#include "elimination/complete.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "vector/run.h"

#include <stdlib.h>

/* texels that a fragment searches, candidates that the vertex shader compares */
enum { STRIP = 32, FEW = 64 };

typedef struct work {
  const char *call;
  clDense *F;
  bool jordan;
  float tolerance;
  txTexture *strips, *candidates;
  /* in turns */
  txTexture *states[2], *matrix[2];
} work;

/* A step reads what the step before it has rendered, so that states and matrix come in pairs;
 * the matrix itself is the first of its pair. */
static clStatus completeCreate(work *w) {
  const txTexture *t = w->F->texture;
  int longer = txMost(t->width, t->height);
  struct {
    txTexture **texture;
    int width, height;
  } list[] = {{&w->strips, t->width, (t->height + STRIP - 1) / STRIP},
              {&w->candidates, txLeast(t->width, FEW), 1},
              {&w->states[0], longer, 2},
              {&w->states[1], longer, 2},
              {&w->matrix[1], t->width, t->height}};
  /* First, since what is freed depends on it. */
  w->matrix[0] = w->F->texture;
  for (int i = 0; i < 5; i++)
    TRY(txTextureCreate(list[i].texture, t->context, w->call, TX_RGBA32F, list[i].width,
                        list[i].height));
  return txTextureClear(w->states[0], w->call);
}

/* One of the passes of step k. With a vertex shader it compares the candidates, and knows the
 * pivot. */
static clStatus completeRunPass(const work *w, const char *kernel, const char *vertex,
                                txTexture *target, const txTexture *a, int k) {
  txPass pass = {.kernel = kernel,
                 .vertex = vertex,
                 .defines = txWhen(w->jordan, "#define JORDAN\n"),
                 .target = {target},
                 .source = {{"a", a, TX_EDGE}, {"states", w->states[k % 2], TX_EDGE}},
                 .uniform = {{"sizes", 2, {(float)w->F->rows, (float)w->F->cols}},
                             {"stride", 1, {(float)w->candidates->width}, .integer = true},
                             {"number", 1, {(float)(k + 1)}},
                             {"tolerance", 1, {w->tolerance}}},
                 .work = STRIP};
  if (vertex)
    pass.source[2] = (txSource){"candidates", w->candidates, TX_EDGE};
  return txPassRun(target->context, w->call, &pass);
}

/* The largest entry of each strip, of each of a few columns of strips, and then the elimination
 * with the largest of all. */
static clStatus step(const work *w, int k) {
  TRY(completeRunPass(w, "complete_search", NULL, w->strips, w->matrix[k % 2], k));
  TRY(completeRunPass(w, "complete_join", NULL, w->candidates, w->strips, k));
  TRY(completeRunPass(w, "complete_step", "complete", w->matrix[1 - k % 2], w->matrix[k % 2], k));
  return completeRunPass(w, "complete_state", "complete", w->states[1 - k % 2], w->matrix[k % 2],
                         k);
}

/* One of the two rows of the states: step k has chosen place[k]. */
static clStatus readStates(const work *w, const txTexture *states, int y, int n, int32_t *place,
                           txCompletePivots *pivots) {
  int texels = n / 2 + n % 2;
  float *s =
      txAllocate(txContextError(w->F->context), w->call, (size_t)texels * 4, sizeof *s, "pivots");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureRead(states, w->call, (txRect){0, y, texels, 1}, s));
  pivots->count = 0;
  for (int i = 0; i < n; i++) {
    const float *texel = s + 4 * (i / 2) + i % 2;
    if (texel[0] == 0)
      continue;
    place[(int)texel[0] - 1] = i;
    pivots->value[(int)texel[0] - 1] = texel[2];
    pivots->count++;
  }
cleanup:
  free(s);
  return status;
}

/* All steps; F takes the texture that the last one has rendered. */
static clStatus eliminate(work *w, txCompletePivots *pivots) {
  clDense *F = w->F;
  int steps = txLeast(F->rows, F->cols), last = steps % 2;
  for (int k = 0; k < steps; k++)
    TRY(step(w, k));
  TRY(readStates(w, w->states[last], 0, F->rows, pivots->row, pivots));
  TRY(readStates(w, w->states[last], 1, F->cols, pivots->col, pivots));
  F->texture = w->matrix[last];
  return TEXLA_OK;
}

clStatus txCompleteEliminate(const char *call, clDense *F, bool jordan, float tolerance,
                             txCompletePivots *pivots) {
  work w = {.call = call, .F = F, .jordan = jordan, .tolerance = tolerance};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(completeCreate(&w));
  TRY_CLEANUP(eliminate(&w, pivots));
cleanup:
  txTextureDestroy(w.strips);
  txTextureDestroy(w.candidates);
  txTextureDestroy(w.states[0]);
  txTextureDestroy(w.states[1]);
  txTextureDestroy(w.matrix[F->texture == w.matrix[0]]);
  return status;
}
