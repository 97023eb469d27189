/* Which texels each fragment of a pass read: the pass is drawn again, once for each of its fetches, and tells where that one looked. What
 * many passes have in common, the same places, is written once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

static const char call[] = "clTrace";
enum { MOST_FETCHES = 256, MOST_PLACES = 1 << 16, FAILED = -2 };

typedef struct Notes {
  const txPassReport *report;
  txTexture *target;
  float *texels; /* of the rectangle: source + 1, x, y, layer */
  int16_t *places;
  int64_t count;    /* texels of the rectangle */
  int most, stored; /* fetches of a fragment: at most, noted */
} Notes;

static clStatus note(txTrace *t, const Notes *n, int which) {
  clStatus status = txTextureClear(n->target, call);
  if (!status)
    status = txPassNote(t->context, call, n->report->pass, n->target, which);
  return status ? status : txTextureRead(n->target, call, n->report->rect, n->texels);
}

static clStatus countFetches(txTrace *t, Notes *n) {
  clStatus status = note(t, n, -1);
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
    for (int64_t i = 0; i < 4 * n->count; i++)
      n->places[4 * n->count * k + i] = small(n->texels[i]);
  }
  return status;
}

static int64_t write(txTrace *t, const Notes *n) {
  const int head[] = {n->report->rect.width, n->report->rect.height, n->most, n->stored};
  size_t bytes = 4 * sizeof *n->places * (size_t)n->count * (size_t)n->stored;
  uint64_t hash = txHash(txHash(TX_HASH, head, sizeof head), n->places, bytes);
  int64_t known = txTableFind(&t->read, hash);
  if (known >= 0)
    return known;
  txJson json;
  txTraceBegin(&t->reads, &json);
  txJsonInteger(&json, "width", head[0]);
  txJsonInteger(&json, "height", head[1]);
  txJsonInteger(&json, "most", n->most);
  txJsonInteger(&json, "stored", n->stored);
  txTraceBase64(&json, "values", n->places, bytes);
  known = txTraceEnd(&t->reads, &json);
  t->no_memory = !txTablePut(&t->read, hash, known) || t->no_memory;
  return known;
}

int64_t txTraceReads(txTrace *t, const txPassReport *report) {
  const txPass *pass = report->pass;
  const txTexture *target = pass->target[0];
  uint64_t program = txProgramHash(pass);
  Notes n = {.report = report, .count = (int64_t)report->rect.width * report->rect.height};
  if (pass->shape == TX_POINTS || pass->blocks.count || n.count > t->choice.texels || n.count > MOST_PLACES ||
      txTableFind(&t->read, program) == FAILED)
    return -1;
  n.texels = malloc(4 * sizeof *n.texels * (size_t)n.count);
  clStatus status = n.texels ? txTextureCreate(&n.target, t->context, call, TX_RGBA32F, target->width, target->height)
                             : TEXLA_OUT_OF_MEMORY;
  if (!status)
    status = countFetches(t, &n);
  n.places = status ? NULL : malloc(4 * sizeof *n.places * (size_t)n.count * (size_t)n.stored + 1);
  if (!status)
    status = n.places ? notePlaces(t, &n) : TEXLA_OUT_OF_MEMORY;
  int64_t place = status ? -1 : write(t, &n);
  if (status) /* a shader with which it does not work: not tried again */
    txTablePut(&t->read, program, FAILED);
  txTextureDestroy(n.target);
  free(n.texels);
  free(n.places);
  return place;
}
