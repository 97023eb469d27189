/* Which side factors the panels of an LU factorization: the device, a pass for a column or two, or the host, which reads and writes them. On a
 * graphics card that depends on both and on what is between them, so that for long panels it is measured once. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "dense/panel.h"
#include "gl/traits.h"
#include "gl/tuning.h"

#include <stdlib.h>

enum {
  SHORT = 1024, /* rows: up to here a graphics card's host is faster, since passes over them are no shorter */
  LONG = 3072,  /* from here on the card is */
  ROWS = 2048,  /* of the panels that are measured, two of TX_PANEL columns on either side */
  COLS = 2 * TX_PANEL
};

static const char call[] = "tuning";

typedef struct tuningCase {
  clContext *context;
  clDense *A;
  float *texels;
  txPanels panels[2]; /* on the device, on the host */
} tuningCase;

/* A matrix of numbers in no order, and what a side needs. */
static clStatus prepare(tuningCase *t, int on_host) {
  clStatus status = TEXLA_OK;
  if (!t->A)
    status = txDenseCreate(&t->A, t->context, call, ROWS, COLS, TEXLA_PACKING_2X2, false);
  if (!status && !t->texels) {
    t->texels = txAllocate(txContextError(t->context), call, (size_t)ROWS * COLS, sizeof *t->texels, "a panel");
    status = t->texels ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
    uint32_t state = 1;
    for (int i = 0; i < ROWS * COLS && !status; i++, state = state * 1664525u + 1013904223u)
      t->texels[i] = (float)(state >> 8) * 0x1p-24f - 0.5f;
  }
  if (!status && !t->panels[on_host].context)
    status = txPanelsCreate(&t->panels[on_host], t->context, call, ROWS, COLS, COLS, false, on_host * COLS / TX_PANEL);
  return status;
}

static clStatus runCase(void *user, int on_host) {
  tuningCase *t = user;
  clStatus status = prepare(t, on_host);
  if (!status)
    status = txTextureWrite(t->A->texture, call, (txRect){0, 0, COLS / 2, ROWS / 2}, t->texels);
  txPanels *p = &t->panels[on_host];
  for (int at = 0; at < COLS && !status; at += p->most) {
    txPanel panel = {.number = at / p->most, .row = at, .col = at, .width = p->most, .steps = p->most, .left = at};
    status = txPanelEliminate(p, call, t->A->texture, &panel);
  }
  return status;
}

clStatus txPanelsChoose(int *on_host, clContext *context, int rows, int most) {
  const txTraits *traits = txContextTraits(context);
  tuningCase t = {.context = context};
  int side = traits->host_shades || rows <= SHORT;
  clStatus status = TEXLA_OK;
  if (!side && rows <= LONG && traits->panels_on_host)
    status = txTuningChoose(context, "dense.panels_on_host", (const int[]){0, 1}, 2, runCase, &t, 0, &side);
  *on_host = side ? txLeast(traits->panels_on_host, most) : 0;
  for (int i = 0; i < 2; i++)
    if (t.panels[i].context)
      txPanelsDestroy(&t.panels[i]);
  clDenseDestroy(t.A);
  free(t.texels);
  return status;
}
