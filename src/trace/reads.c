/* Which texels the shaders of a pass read: the pass is drawn again, once for each fetch of its
 * fragments (of its vertices, of its geometry shader), and tells where that one looked. What many
 * passes have in common, the same places, is written once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

static const char call[] = "clTrace";
enum { MOST_FETCHES = 256, MOST_PLACES = 1 << 16, VERTICES_IN_A_ROW = 256, FAILED = -2 };

typedef struct Notes {
  const txPassReport *report;
  txStage stage;
  txTexture *target;
  /* of the target: fragments, vertices in rows */
  txRect rect;
  /* of the rectangle: source + 1, x, y, layer */
  float *texels;
  int16_t *places, *drawn;
  /* of vertices that are points */
  float *inputs;
  /* texels of the rectangle */
  int64_t count;
  /* fetches of a fragment: at most, noted */
  int most, stored;
  /* of a source, not of a scalar */
  bool some;
} Notes;

static clStatus note(txTrace *t, const Notes *n, int which) {
  clStatus status = txTextureClear(n->target, call);
  if (!status)
    status = txPassNote(t->context, call, n->report->pass, n->stage, n->target, which);
  return status ? status : txTextureRead(n->target, call, n->rect, n->texels);
}

static clStatus countFetches(txTrace *t, Notes *n) {
  clStatus status = note(t, n, TX_FETCHES);
  for (int64_t i = 0; i < n->count && !status; i++)
    n->most = n->texels[4 * i] > (float)n->most ? (int)n->texels[4 * i] : n->most;
  int64_t room = MOST_PLACES / n->count;
  n->stored = n->most < MOST_FETCHES ? n->most : MOST_FETCHES;
  n->stored = n->stored < room ? n->stored : (int)room;
  return status;
}

static int16_t small(float v) {
  return (int16_t)fmaxf(-32768, fminf(v, 32767));
}

static clStatus notePlaces(txTrace *t, Notes *n) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < n->stored && !status; k++) {
    status = note(t, n, k);
    for (int64_t i = 0; i < n->count; i++) {
      /* not a scalar */
      bool source = n->texels[4 * i] <= TX_MAX_SOURCES;
      n->some = n->some || (source && n->texels[4 * i] > 0);
      for (int c = 0; c < 4; c++)
        n->places[4 * (n->count * k + i) + c] = source ? small(n->texels[4 * i + c]) : 0;
    }
  }
  return status;
}

/* The texel of the pass's target that each vertex is on. */
static clStatus notePoints(txTrace *t, Notes *n) {
  const txTexture *target = n->report->pass->target[0];
  clStatus status = note(t, n, TX_PLACES);
  for (int64_t i = 0; i < n->count && !status; i++) {
    n->drawn[2 * i] = small(floorf(0.5f * (n->texels[4 * i] + 1) * (float)target->width));
    n->drawn[2 * i + 1] = small(floorf(0.5f * (n->texels[4 * i + 1] + 1) * (float)target->height));
  }
  const txVertices *vertices = n->report->pass->vertices;
  int64_t count = txPassVertices(n->report->pass);
  n->inputs = vertices
                  ? malloc((size_t)count * (size_t)txVerticesFloats(vertices) * sizeof *n->inputs)
                  : NULL;
  return status || !n->inputs
             ? status
             : txVerticesRead(vertices, call, n->report->pass->first, count, n->inputs);
}

static int64_t write(txTrace *t, const Notes *n) {
  const int head[] = {(int)n->stage, n->rect.width, n->rect.height, n->most, n->stored};
  size_t bytes = 4 * sizeof *n->places * (size_t)n->count * (size_t)n->stored;
  const txPass *pass = n->report->pass;
  size_t drawn = n->drawn ? 2 * sizeof *n->drawn * (size_t)n->count : 0;
  size_t inputs = n->inputs ? sizeof *n->inputs *
                                  (size_t)(txPassVertices(pass) * txVerticesFloats(pass->vertices))
                            : 0;
  uint64_t hash = txHash(txHash(TX_HASH, head, sizeof head), n->places, bytes);
  if (drawn)
    hash = txHash(txHash(hash, n->drawn, drawn), n->inputs ? n->inputs : (void *)n->drawn, inputs);
  int64_t known = txTableFind(&t->read, hash);
  if (known >= 0)
    return known;
  txJson json;
  txTraceBegin(&t->reads, &json);
  txJsonInteger(&json, "width", n->rect.width);
  txJsonInteger(&json, "height", n->rect.height);
  txJsonInteger(&json, "most", n->most);
  txJsonInteger(&json, "stored", n->stored);
  txTraceBase64(&json, "values", n->places, bytes);
  if (drawn)
    txTraceBase64(&json, "drawn", n->drawn, drawn);
  if (inputs)
    txTraceBase64(&json, "inputs", n->inputs, inputs);
  known = txTraceEnd(&t->reads, &json);
  t->no_memory = !txTablePut(&t->read, hash, known) || t->no_memory;
  return known;
}

/* The texture to draw into and the arrays. */
static clStatus prepare(txTrace *t, Notes *n, int width, int height) {
  n->texels = malloc(4 * sizeof *n->texels * (size_t)n->count);
  n->drawn = n->stage == TX_VERTEX && n->report->pass->shape == TX_POINTS
                 ? calloc(2 * (size_t)n->count, sizeof *n->drawn)
                 : NULL;
  return n->texels ? txTextureCreate(&n->target, t->context, call, TX_RGBA32F, width, height)
                   : TEXLA_OUT_OF_MEMORY;
}

/* FAILED: such shaders cannot be noted, or they fetch nothing. */
static int64_t takeNotes(txTrace *t, Notes *n, int width, int height) {
  clStatus status = prepare(t, n, width, height);
  if (!status)
    status = countFetches(t, n);
  if (!status)
    n->places = malloc(4 * sizeof *n->places * (size_t)n->count * (size_t)n->stored + 1);
  if (!status)
    status = n->places ? notePlaces(t, n) : TEXLA_OUT_OF_MEMORY;
  bool none = !status && !n->some && n->stage != TX_FRAGMENT;
  if (!status && !none && n->drawn)
    status = notePoints(t, n);
  int64_t place = status || none ? FAILED : write(t, n);
  txTextureDestroy(n->target);
  free(n->texels);
  free(n->places);
  free(n->drawn);
  free(n->inputs);
  return place;
}

/* The rectangle whose texels are noted, and the size of the texture for it. */
static txRect rectOf(const txPassReport *report, txStage stage, int *width, int *height) {
  const txPass *pass = report->pass;
  *width = *height = 1;
  if (stage == TX_FRAGMENT) {
    *width = pass->target[0]->width;
    *height = pass->target[0]->height;
    return report->rect;
  }
  int64_t count = stage == TX_VERTEX ? txPassVertices(pass) : 1;
  if (count > MOST_PLACES)
    return (txRect){0, 0, MOST_PLACES, MOST_PLACES};
  *width = count < VERTICES_IN_A_ROW ? (int)count : VERTICES_IN_A_ROW;
  *height = ((int)count + *width - 1) / *width;
  return (txRect){0, 0, *width, *height};
}

/* Most vertices look at nothing but the pass's scalars, which are its sources anyway. */
static bool worthALook(const txPass *pass, txStage stage) {
  return stage == TX_FRAGMENT ? pass->shape != TX_POINTS
         : stage == TX_VERTEX ? pass->vertex != NULL
                              : pass->geometry != NULL;
}

int64_t txTraceReads(txTrace *t, const txPassReport *report, txStage stage) {
  int width, height;
  Notes n = {.report = report, .stage = stage, .rect = rectOf(report, stage, &width, &height)};
  uint64_t program = txProgramHash(report->pass) + (uint64_t)stage;
  n.count = (int64_t)n.rect.width * n.rect.height;
  if (!worthALook(report->pass, stage) || n.count > t->choice.texels || n.count > MOST_PLACES ||
      txTableFind(&t->read, program) == FAILED)
    return -1;
  int64_t place = takeNotes(t, &n, width, height);
  /* not tried again */
  if (place == FAILED)
    txTablePut(&t->read, program, FAILED);
  return place == FAILED ? -1 : place;
}
