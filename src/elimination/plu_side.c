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

static const char call[] = "tuning";

typedef struct tuningCase {
  clContext *context;
  /* at once, on the host */
  int panels;
  clDense *A;
  /* panels on the device, on the host */
  clPlu *plu[2];
} tuningCase;

/* Numbers in no order. */
static clStatus createMatrix(tuningCase *t) {
  clStatus status = clDenseCreate(&t->A, t->context, ORDER, ORDER);
  float *values = status ? NULL
                         : txAllocate(txContextError(t->context), call, ORDER,
                                      ORDER * sizeof *values, "a matrix");
  if (!values)
    return status ? status : TEXLA_OUT_OF_MEMORY;
  uint32_t state = 1;
  for (int i = 0; i < ORDER * ORDER; i++, state = state * 1664525u + 1013904223u)
    values[i] = (float)(state >> 8) * 0x1p-24f - 0.5f;
  status = clDenseUpload(t->A, values, ORDER);
  free(values);
  return status;
}

static clStatus runCase(void *user, int on_host) {
  tuningCase *t = user;
  if (!t->A)
    TRY(createMatrix(t));
  if (!t->plu[on_host])
    TRY(txPluCreate(&t->plu[on_host], call, t->context, ORDER, ORDER, &(clPluOptions){.panel = 0},
                    on_host * t->panels));
  return clPluFactor(t->plu[on_host], t->A, NULL);
}

clStatus txPluSide(int *on_host, clContext *context, int rows, int most) {
  const txTraits *traits = txContextTraits(context);
  tuningCase t = {.context = context,
                  .panels = traits->panels_on_host * (traits->host_shades ? 1 : TOGETHER)};
  int side = traits->host_shades || rows <= SHORT;
  clStatus status = TEXLA_OK;
  if (!side && t.panels)
    status = txTuningChoose(context, "dense.panels_on_host", (const int[]){0, 1}, 2, runCase, &t, 0,
                            &side);
  *on_host = side ? txLeast(t.panels, most) : 0;
  for (int i = 0; i < 2; i++)
    clPluDestroy(t.plu[i]);
  clDenseDestroy(t.A);
  return status;
}
