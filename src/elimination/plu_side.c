/* Which side factors the panels of an LU factorization: the device, a pass for a column or two, or
 * the host, which reads and writes them while a graphics card updates what is right of them. That
 * depends on both and on what is between them, so that it is measured once. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "elimination/plu.h"
#include "gl/traits.h"
#include "gl/tuning.h"

#include <stdlib.h>

enum {
  /* rows: up to here a graphics card's host is faster, since passes over them are no shorter */
  SHORT = 512,
  /* of the matrix that is measured */
  ORDER = 1024,
  /* times as many panels at once, where several threads share them */
  TOGETHER = 4,
};

static const char tuning[] = "tuning";

typedef struct tuningCase {
  clContext *context;
  /* at once, on the host */
  int panels;
  clDense *A;
  /* panels on the device, on the host */
  clPlu *plu[2];
} tuningCase;

/* Numbers in no order. */
static clStatus pluSideCreateMatrix(tuningCase *t) {
  TRY(clDenseCreate(&t->A, t->context, ORDER, ORDER));
  float *values =
      txAllocate(txContextError(t->context), tuning, ORDER, ORDER * sizeof *values, "a matrix");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  uint32_t state = 1;
  for (int i = 0; i < ORDER * ORDER; i++, state = state * 1664525u + 1013904223u)
    values[i] = (float)(state >> 8) * 0x1p-24f - 0.5f;
  clStatus status = clDenseUpload(t->A, values, ORDER);
  free(values);
  return status;
}

/* One factorization with the panels on that side; what it needs is made the first time. */
static clStatus pluSideRunCase(void *user, int on_host) {
  tuningCase *t = user;
  if (!t->A)
    TRY(pluSideCreateMatrix(t));
  if (!t->plu[on_host])
    TRY(txPluCreate(&t->plu[on_host], tuning, t->context, ORDER, ORDER, &(clPluOptions){.panel = 0},
                    on_host * t->panels));
  return clPluFactor(t->plu[on_host], t->A, NULL);
}

clStatus txPluSide(int *on_host, clContext *context, int rows, int most) {
  const txTraits *traits = txContextTraits(context);
  tuningCase t = {.context = context, .panels = traits->panels_on_host * TOGETHER};
  if (traits->host_shades)
    t.panels = traits->panels_on_host;
  int side = traits->host_shades || rows <= SHORT;
  clStatus status = TEXLA_OK;
  if (!side && t.panels)
    TRY_CLEANUP(txTuningChoose(context, "dense.panels_on_host", (const int[]){0, 1}, 2,
                               pluSideRunCase, &t, 0, &side));
  *on_host = 0;
  if (side)
    *on_host = txLeast(t.panels, most);
cleanup:
  for (int i = 0; i < 2; i++)
    clPluDestroy(t.plu[i]);
  clDenseDestroy(t.A);
  return status;
}

clStatus clPluCreate(clPlu **out, clContext *context, int rows, int cols,
                     const clPluOptions *options) {
  static const char call[] = "clPluCreate";
  clPluOptions o = options ? *options : (clPluOptions){0};
  int on_host = 0;
  if (!out || !context || rows < 1 || cols < 1 || o.panel < 0)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL, rows (%d) and cols (%d) at least 1, the panel "
                  "(%d) not negative",
                  rows, cols, o.panel);
  TRY(txEliminationCheck(call, context, &o.elimination));
  if (o.elimination.pivoting == TEXLA_PIVOT_PARTIAL) {
    int columns = txLeast(rows, cols);
    if (o.panel)
      columns = txLeast(columns, o.panel);
    TRY(txPluSide(&on_host, context, rows, (columns - 1) / TX_PANEL + 1));
  }
  return txPluCreate(out, call, context, rows, cols, &o, on_host);
}
