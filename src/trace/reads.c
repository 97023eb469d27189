/* Which texels the shaders of a pass read: the pass is drawn again, once for each fetch of its
 * fragments (of its vertices, of its geometry shader), and tells where that one looked. What many
 * passes have in common, the same places, is written once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"
#include "core/try.h"

static const char call[] = "clTrace";
enum { MOST_FETCHES = 256, MOST_PLACES = 1 << 16, VERTICES_IN_A_ROW = 256, FAILED = -2 };

/* Where the fetches of one stage looked. Its fragments, or its vertices in rows, fill `rect` of the
 * target, `count` texels, and of each fetch the drawing leaves source + 1, x, y and layer in
 * `texels`. `places` collects these for `stored` of `most` fetches. Of vertices that are points,
 * `drawn` holds the texels that they are on, and `inputs` their attributes. `some`: not only
 * scalars were fetched. */
typedef struct notes {
  const txPassReport *report;
  txStage stage;
  txTexture *target;
  txRect rect;
  float *texels;
  int16_t *places, *drawn;
  float *inputs;
  int64_t count;
  int most, stored;
  bool some;
} notes;

static clStatus note(txTrace *t, const notes *n, int which) {
  TRY(txTextureClear(n->target, call));
  TRY(txPassNote(t->context, call, n->report->pass, n->stage, n->target, which));
  return txTextureRead(n->target, call, n->rect, n->texels);
}

/* The first look says how often each fragment fetches; as many looks follow as the fragment with
 * the most needs, and as there is room for. */
static clStatus countFetches(txTrace *t, notes *n) {
  TRY(note(t, n, TX_FETCHES));
  for (int64_t i = 0; i < n->count; i++)
    if (n->texels[4 * i] > (float)n->most)
      n->most = (int)n->texels[4 * i];
  int64_t room = MOST_PLACES / n->count;
  n->stored = n->most;
  if (n->stored > MOST_FETCHES)
    n->stored = MOST_FETCHES;
  if (n->stored > room)
    n->stored = (int)room;
  return TEXLA_OK;
}

/* Coordinates are stored with 16 bits, which saturate. */
static int16_t small(float v) {
  return (int16_t)fmaxf(-32768, fminf(v, 32767));
}

/* Look number k notes fetch number k of all fragments. */
static clStatus notePlaces(txTrace *t, notes *n) {
  for (int k = 0; k < n->stored; k++) {
    TRY(note(t, n, k));
    for (int64_t i = 0; i < n->count; i++) {
      /* Scalars have the numbers behind those of the sources. */
      bool source = n->texels[4 * i] <= TX_MAX_SOURCES;
      n->some = n->some || (source && n->texels[4 * i] > 0);
      for (int c = 0; c < 4; c++)
        n->places[4 * (n->count * k + i) + c] = source ? small(n->texels[4 * i + c]) : 0;
    }
  }
  return TEXLA_OK;
}

/* How many numbers the attributes of all vertices are. */
static int64_t readsInputsOf(const txPass *pass) {
  return txPassVertices(pass) * txVerticesFloats(pass->vertices);
}

/* The texel of the pass's target that each vertex is on. */
static clStatus notePoints(txTrace *t, notes *n) {
  const txPass *pass = n->report->pass;
  const txTexture *target = pass->target[0];
  TRY(note(t, n, TX_PLACES));
  for (int64_t i = 0; i < n->count; i++) {
    n->drawn[2 * i] = small(floorf(0.5f * (n->texels[4 * i] + 1) * (float)target->width));
    n->drawn[2 * i + 1] = small(floorf(0.5f * (n->texels[4 * i + 1] + 1) * (float)target->height));
  }
  if (!pass->vertices)
    return TEXLA_OK;
  n->inputs = malloc((size_t)readsInputsOf(pass) * sizeof *n->inputs);
  if (!n->inputs)
    return TEXLA_OK;
  return txVerticesRead(pass->vertices, call, pass->first, txPassVertices(pass), n->inputs);
}

/* The place of the notes in their list; the same places, also of another pass, are there once. */
static int64_t readsWrite(txTrace *t, const notes *n) {
  const int head[] = {(int)n->stage, n->rect.width, n->rect.height, n->most, n->stored};
  size_t bytes = 4 * sizeof *n->places * (size_t)n->count * (size_t)n->stored;
  const txPass *pass = n->report->pass;
  size_t drawn = 0, inputs = 0;
  if (n->drawn)
    drawn = 2 * sizeof *n->drawn * (size_t)n->count;
  if (n->inputs)
    inputs = sizeof *n->inputs * (size_t)readsInputsOf(pass);
  uint64_t hash = txHash(txHash(TX_HASH, head, sizeof head), n->places, bytes);
  if (drawn)
    hash = txHash(hash, n->drawn, drawn);
  if (inputs)
    hash = txHash(hash, n->inputs, inputs);
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

/* The texture to draw into and the arrays; what was made is freed by takeNotes. */
static clStatus readsPrepare(txTrace *t, notes *n, int width, int height) {
  n->texels = malloc(4 * sizeof *n->texels * (size_t)n->count);
  if (n->stage == TX_VERTEX && n->report->pass->shape == TX_POINTS)
    n->drawn = calloc(2 * (size_t)n->count, sizeof *n->drawn);
  if (!n->texels)
    return TEXLA_OUT_OF_MEMORY;
  return txTextureCreate(&n->target, t->context, call, TX_RGBA32F, width, height);
}

/* *place <- the place of the notes; it stays where vertices and geometry fetch nothing but
 * scalars. */
static clStatus noteAll(txTrace *t, notes *n, int width, int height, int64_t *place) {
  TRY(readsPrepare(t, n, width, height));
  TRY(countFetches(t, n));
  n->places = malloc(4 * sizeof *n->places * (size_t)n->count * (size_t)n->stored + 1);
  if (!n->places)
    return TEXLA_OUT_OF_MEMORY;
  TRY(notePlaces(t, n));
  if (!n->some && n->stage != TX_FRAGMENT)
    return TEXLA_OK;
  if (n->drawn)
    TRY(notePoints(t, n));
  *place = readsWrite(t, n);
  return TEXLA_OK;
}

/* FAILED: such shaders cannot be noted, or they fetch nothing. */
static int64_t takeNotes(txTrace *t, notes *n, int width, int height) {
  int64_t place = FAILED;
  if (noteAll(t, n, width, height, &place))
    place = FAILED;
  txTextureDestroy(n->target);
  free(n->texels);
  free(n->places);
  free(n->drawn);
  free(n->inputs);
  return place;
}

/* The rectangle whose texels are noted, and the size of the texture for it. */
static txRect readsRectOf(const txPassReport *report, txStage stage, int *width, int *height) {
  const txPass *pass = report->pass;
  if (stage == TX_FRAGMENT) {
    *width = pass->target[0]->width;
    *height = pass->target[0]->height;
    return report->rect;
  }
  int64_t count = stage == TX_VERTEX ? txPassVertices(pass) : 1;
  *width = 1;
  *height = 1;
  if (count > MOST_PLACES)
    return (txRect){0, 0, MOST_PLACES, MOST_PLACES};
  *width = VERTICES_IN_A_ROW;
  if (count < VERTICES_IN_A_ROW)
    *width = (int)count;
  *height = ((int)count + *width - 1) / *width;
  return (txRect){0, 0, *width, *height};
}

/* Most vertices look at nothing but the pass's scalars, which are its sources anyway. */
static bool readsWorthALook(const txPass *pass, txStage stage) {
  if (stage == TX_FRAGMENT)
    return pass->shape != TX_POINTS;
  if (stage == TX_VERTEX)
    return pass->vertex != NULL;
  return pass->geometry != NULL;
}

/* Only small passes are looked at, and no program a second time that could not be noted. */
int64_t txTraceReads(txTrace *t, const txPassReport *report, txStage stage) {
  int width, height;
  notes n = {.report = report, .stage = stage, .rect = readsRectOf(report, stage, &width, &height)};
  uint64_t program = txProgramHash(report->pass) + (uint64_t)stage;
  n.count = (int64_t)n.rect.width * n.rect.height;
  if (!readsWorthALook(report->pass, stage) || n.count > t->choice.texels ||
      n.count > MOST_PLACES || txTableFind(&t->read, program) == FAILED)
    return -1;
  int64_t place = takeNotes(t, &n, width, height);
  if (place != FAILED)
    return place;
  /* This program is not tried again. */
  txTablePut(&t->read, program, FAILED);
  return -1;
}
