/* A panel of an LU factorization by the host: its texels are read, factored where they are, and
 * written back, with the moves of rows that shaders/elimination/panel_moves.frag would find. */
#include "core/numbers.h"
#include "core/try.h"
#include "elimination/panel.h"
#include "gl/observe.h"

#include <string.h>

/* source[i] <- the row that comes to row i: pivots to the top, and to their places the rows of the
 * top that are none, in order. */
static void findSources(txHostPanel *h) {
  int displaced = 0;
  for (int i = 0; i < 2 * h->height; i++)
    h->source[i] = i;
  for (int t = 0; t < h->steps; t++) {
    h->source[t] = h->row[t];
    if (h->row[t] < h->steps)
      continue;
    while (h->step[displaced] > 0)
      displaced++;
    h->source[h->row[t]] = displaced++;
  }
}

/* The place below the top that pivot t has left, or -1. */
static int panelHostSlotOf(const txHostPanel *h, int t) {
  if (t < h->steps && h->row[t] >= h->steps)
    return h->row[t];
  return -1;
}

static void panelHostSet(float *texel, int a, int b, int c, float d) {
  texel[0] = (float)a;
  texel[1] = (float)b;
  texel[2] = (float)c;
  texel[3] = d;
}

/* The first of the two rows that row t of texels on their way holds: first the top's rows, then
 * those beside the slots of pivots; or -1. */
static int gatheredRow(const txHostPanel *h, int t) {
  int top = txHalf(h->steps);
  if (t < top)
    return 2 * t;
  int slot = panelHostSlotOf(h, t - top);
  if (slot < 0)
    return -1;
  return slot / 2 * 2;
}

/* The three rows of texels of panel_moves.frag, `width` each. */
static void describeMoves(const txHostPanel *h, float *moves, int width) {
  for (int t = 0; t < width; t++) {
    int slot = panelHostSlotOf(h, t), at = gatheredRow(h, t);
    float *pivot = moves + 4 * t, *place = pivot + 4 * width, *gathered = place + 4 * width;
    panelHostSet(pivot, -1, -1, -1, 0);
    panelHostSet(place, -1, 0, 0, 0);
    panelHostSet(gathered, -1, -1, 0, 0);
    if (t < h->steps)
      panelHostSet(pivot, h->source[t], -1, -1, h->value[t]);
    if (slot >= 0) {
      pivot[1] = (float)slot;
      pivot[2] = (float)h->source[slot];
      place[0] = (float)(slot / 2);
    }
    if (at >= 0)
      panelHostSet(gathered, h->source[at], h->source[at + 1], 0, 0);
  }
}

static txRect panelHostRectOf(const txPanels *p, const txPanel *panel) {
  return (txRect){panel->col / 2, panel->row / 2, panel->width / 2, txHalf(p->rows - panel->row)};
}

clStatus txPanelBegin(txPanels *p, const char *call, const txTexture *A, const txPanel *panel) {
  /* of a factorization that has failed */
  txRead *old = p->read;
  p->read = NULL;
  TRY(txReadFinish(old, call, NULL));
  if (!p->on_host)
    return TEXLA_OK;
  return txReadStart(&p->read, A, call, panelHostRectOf(p, panel));
}

/* A panel that is read while the threads that will factor it start. */
typedef struct reading {
  txPanels *panels;
  const char *call;
  const txTexture *A;
  txRect rect;
} reading;

static clStatus readTexels(void *user, float *texels) {
  const reading *r = user;
  txRead *read = r->panels->read;
  r->panels->read = NULL;
  if (!read)
    return txTextureRead(r->A, r->call, r->rect, texels);
  return txReadFinish(read, r->call, texels);
}

/* What the host has computed, to the device. */
static clStatus writeBack(const txPanels *p, const char *call, txTexture *A, txRect rect,
                          const txPanel *panel) {
  const txRect moves = {0, TX_PANEL_MOVES * panel->number, p->moves->width, TX_PANEL_MOVES},
               inverse = {0, panel->col / 2, p->inverse->width,
                          txLeast(rect.width, p->inverse->height - panel->col / 2)};
  TRY(txTextureWrite(p->moves, call, moves, p->sources));
  TRY(txTextureWrite(p->inverse, call, inverse, p->host.inverse));
  return txTextureWrite(A, call, rect, p->host.texels);
}

/* The reading is left to the factorization's threads, which start meanwhile. */
clStatus txPanelEliminateOnHost(txPanels *p, const char *call, txTexture *A, const txPanel *panel) {
  txHostPanel *h = &p->host;
  txRect rect = panelHostRectOf(p, panel);
  h->rows = p->rows - panel->row;
  h->height = rect.height;
  h->width = rect.width;
  h->steps = panel->steps;
  h->tolerance = p->tolerance;
  txPass step = {.kernel = "panel_on_host",
                 .shape = TX_HOST,
                 .source = {{"a", A, TX_EDGE}},
                 .target = {A, p->moves, p->inverse},
                 .rect = rect};
  txHostBegin(p->context, call, &step);
  h->bring = readTexels;
  h->user = &(reading){p, call, A, rect};
  TRY(txHostPanelLu(h));
  findSources(h);
  describeMoves(h, p->sources, p->moves->width);
  memcpy(p->records + (size_t)panel->number * 4 * (size_t)p->most, p->sources,
         4 * (size_t)p->most * sizeof *p->records);
  clStatus status = writeBack(p, call, A, rect, panel);
  txHostEnd(p->context);
  return status;
}
