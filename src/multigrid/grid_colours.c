/* Red-black sweeps with the colours in textures of half the size: only what changes is rendered,
 * only what it depends on is fetched. */
#include "multigrid/grid.h"
#include "core/try.h"

#include <stdio.h>

/* Draws on `target`, whose rows have `columns` numbers; where these are no multiple of `multiple`,
 * the padding of the last texel is masked. */
static clStatus run(const char *call, txTexture *target, const txGrid *A, txPass *pass, int columns,
                    int multiple) {
  const char *defines = pass->defines ? pass->defines : "";
  const char *masked = columns % multiple ? "#define MASKED\n" : "";
  pass->target[0] = target;
  txPassUniform(pass, (txUniform){"interior", 3, .array = A->inverse});
  txPassUniform(pass, (txUniform){"count", 1, {(float)columns}});
  txPassUniform(pass, (txUniform){"size", 2, {(float)A->n[0], (float)A->n[1]}});
  char text[64];
  snprintf(text, sizeof text, "%s%s", defines, masked);
  pass->defines = text;
  clStatus status = txPassRun(A->context, call, pass);
  pass->defines = NULL;
  return status;
}

static clStatus createHalf(txTexture **out, const char *call, const txGrid *A) {
  return txTextureCreate(out, A->context, call, TX_RGBA32F, (A->n[0] + 7) / 8, A->n[1]);
}

clStatus txColoursBefore(const char *call, txTexture **black, const txGrid *A, clVector *y,
                         const clVector *b) {
  txPass start = {.kernel = "colour_sweep",
                  .defines = "#define START\n",
                  .source = {{"b", b->texture, TX_ZERO}},
                  .work = 7};
  /* A cycle that failed has left its texture. */
  txTextureDestroy(*black);
  *black = NULL;
  TRY(createHalf(black, call, A));
  TRY(run(call, *black, A, &start, A->n[0], 8));
  txPass restriction = {
      .kernel = "colour_restrict", .source = {{"black", *black, TX_EDGE}}, .work = 12};
  return run(call, y->texture, A, &restriction, (int)y->layout.row, 4);
}

clStatus txColoursProlong(const char *call, txTexture **black, const txGrid *A, const clVector *e) {
  txTexture *sum = NULL;
  txPass pass = {.kernel = "colour_prolong",
                 .source = {{"black", *black, TX_EDGE}, {"e", e->texture, TX_ZERO}},
                 .work = 3};
  TRY(createHalf(&sum, call, A));
  clStatus status = run(call, sum, A, &pass, A->n[0], 8);
  return txTextureReplace(black, sum, status);
}

/* *red, which the caller destroys, <- the red points from the black ones */
static clStatus sweepRed(const char *call, txTexture **red, const txGrid *A, const txTexture *black,
                         const clVector *b) {
  txPass sweep = {.kernel = "colour_sweep",
                  .defines = "#define RED\n",
                  .source = {{"b", b->texture, TX_EDGE}, {"other", black, TX_EDGE}},
                  .work = 6};
  TRY(createHalf(red, call, A));
  return run(call, *red, A, &sweep, A->n[0], 8);
}

clStatus txColoursAfter(const char *call, clVector *y, const txGrid *A, const txTexture *black,
                        const clVector *b, float factor, bool add) {
  txTexture *red = NULL, *sum = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(sweepRed(call, &red, A, black, b));
  txPass last = {
      .kernel = "colour_sweep",
      .defines = add ? "#define ADD\n" : NULL,
      .source = {{"b", b->texture, TX_EDGE}, {"other", red, TX_EDGE}, {"x", y->texture, TX_EDGE}},
      .uniform = {{"factor", 1, {factor}}},
      .work = 6};
  TRY_CLEANUP(txLayoutTexture(&sum, A->context, call, &A->layout));
  TRY_CLEANUP(run(call, sum, A, &last, A->n[0], 4));
  txTextureExchange(&y->texture, &sum);
cleanup:
  txTextureDestroy(red);
  txTextureDestroy(sum);
  return status;
}
