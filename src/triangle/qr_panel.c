#include "triangle/qr_panel.h"
#include "core/numbers.h"
#include "core/try.h"
#include "vector/run.h"

#include <stdio.h>

enum { ROWS = 128 /* in a row of texels */ };

clStatus txQrPanelCreate(txQrPanel *out, clContext *context, const char *call, int rows) {
  *out = (txQrPanel){.context = context, .call = call};
  /* and a row for the sums */
  for (int k = 0; k < 2; k++)
    TRY(txLayersCreate(&out->side[k], context, call, TX_RGBA32F, ROWS, (rows + ROWS - 1) / ROWS + 1,
                       TX_QR_GROUPS));
  return TEXLA_OK;
}

void txQrPanelDestroy(txQrPanel *p) {
  txTextureDestroy(p->side[0]);
  txTextureDestroy(p->side[1]);
}

static int heightOf(const txQrPanel *p) {
  return (p->rows + ROWS - 1) / ROWS;
}

/* Four times as many as each has rows: a sum is one fetch later on, a row takes more. */
static int stripsOf(const txQrPanel *p) {
  int n = 16;
  while (n < ROWS && n * n < 4 * p->rows)
    n *= 2;
  return n;
}

/* The panel's shape and its column, as all its kernels want them. */
static txUniform shapeUniform(const txQrPanel *p, int k) {
  return (txUniform){"shape",
                     4,
                     {(float)p->rows, (float)heightOf(p), (float)stripsOf(p), (float)k},
                     .integer = true};
}

/* The chosen columns in layers of four, scaled to lengths near 1. */
static clStatus load(txQrPanel *p, const clDense *P, int from, float unit) {
  txPass pass = {.kernel = "qr_load",
                 .target = {p->side[0]},
                 .source = {{"a", P->texture, TX_EDGE}},
                 .uniform = {shapeUniform(p, -1),
                             {"from", 2, {(float)from, (float)p->cols}, .integer = true},
                             {"unit", 1, {unit}}},
                 .rect = {0, 0, ROWS, heightOf(p) + 1},
                 .work = 32};
  p->current = p->in_other = 0;
  return txPassRun(p->context, p->call, &pass);
}

/* Groups before that of column k have been finished, and stay where they are. */
static clStatus reflect(txQrPanel *p, int k) {
  int first = k / 4, before = (1 << first) - 1;
  char text[96];
  int next = (k + 1) / 4 - first;
  /* There is no column after the last one. */
  if (next >= TX_QR_GROUPS - first)
    next = 0;
  snprintf(text, sizeof text, "#define GROUPS %d\n#define FIRST %d\n#define NEXT %d\n",
           TX_QR_GROUPS - first, first, next);
  txPass pass = {.kernel = "qr_step",
                 .vertex = "qr_step",
                 .defines = text,
                 .target = {p->side[1 - p->current]},
                 .first_layer = first,
                 .source = {{"panel", p->side[p->current], TX_EDGE}},
                 .uniform = {shapeUniform(p, k)},
                 .rect = {0, 0, ROWS, heightOf(p) + 1},
                 .work = 32};
  p->in_other = (p->in_other ^ before) & before;
  p->current = 1 - p->current;
  return txPassRun(p->context, p->call, &pass);
}

/* The reflections' vectors, or with UPPER the triangle that is left. */
static clStatus store(const txQrPanel *p, clDense *target, const char *defines) {
  txPass pass = {.kernel = "qr_store",
                 .defines = defines,
                 .target = {target->texture},
                 .source = {{"panel", p->side[p->current], TX_EDGE},
                            {"other", p->side[1 - p->current], TX_EDGE}},
                 .uniform = {shapeUniform(p, -1),
                             {"in_other", 1, {(float)p->in_other}, .integer = true},
                             {"columns", 1, {(float)target->cols}, .integer = true}}};
  return txPassRun(p->context, p->call, &pass);
}

/* All columns are reflected on the device; the host reads the triangle, and pivots there. */
clStatus txQrPanelFactor(txQrPanel *p, const clDense *P, int from, float unit, float *upper) {
  clDense *R = NULL;
  p->rows = P->rows - from;
  p->cols = P->cols;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(load(p, P, from, unit));
  for (int k = 0; k < txLeast(p->cols, p->rows); k++)
    TRY_CLEANUP(reflect(p, k));
  TRY_CLEANUP(clDenseCreate(&R, p->context, p->cols, p->cols));
  TRY_CLEANUP(store(p, R, "#define UPPER\n"));
  TRY_CLEANUP(clDenseDownload(R, upper, p->cols));
  for (int k = 0; k < p->cols * p->cols; k++)
    upper[k] /= unit;
cleanup:
  clDenseDestroy(R);
  return status;
}

clStatus txQrPanelVectors(const txQrPanel *p, clDense *V) {
  return store(p, V, NULL);
}
