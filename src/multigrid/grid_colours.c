/* Red-black sweeps with the colours in textures of half the size: only what changes is rendered,
 * only what it depends on is fetched. */
#include "multigrid/grid.h"

#include <stdio.h>

static clStatus run(const char *call, txTexture *target, const txGrid *A, txPass *pass, int columns,
                    int multiple) {
  pass->target[0] = target;
  txPassUniform(pass, (txUniform){"interior", 3, .array = A->inverse});
  txPassUniform(pass, (txUniform){"count", 1, {(float)columns}});
  txPassUniform(pass, (txUniform){"size", 2, {(float)A->n[0], (float)A->n[1]}});
  char text[64];
  snprintf(text, sizeof text, "%s%s", pass->defines ? pass->defines : "",
           columns % multiple ? "#define MASKED\n" : "");
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
  /* of a cycle that failed */
  txTextureDestroy(*black);
  *black = NULL;
  clStatus status = createHalf(black, call, A);
  if (!status)
    status = run(call, *black, A, &start, A->n[0], 8);
  if (status)
    return status;
  txPass restriction = {
      .kernel = "colour_restrict", .source = {{"black", *black, TX_EDGE}}, .work = 12};
  return run(call, y->texture, A, &restriction, (int)y->layout.row, 4);
}

clStatus txColoursProlong(const char *call, txTexture **black, const txGrid *A, const clVector *e) {
  txTexture *sum = NULL;
  txPass pass = {.kernel = "colour_prolong",
                 .source = {{"black", *black, TX_EDGE}, {"e", e->texture, TX_ZERO}},
                 .work = 3};
  clStatus status = createHalf(&sum, call, A);
  if (!status)
    status = run(call, sum, A, &pass, A->n[0], 8);
  return txTextureReplace(black, sum, status);
}

clStatus txColoursAfter(const char *call, clVector *y, const txGrid *A, const txTexture *black,
                        const clVector *b, float factor, bool add) {
  txTexture *red = NULL, *sum = NULL;
  clStatus status = createHalf(&red, call, A);
  txPass sweep = {.kernel = "colour_sweep",
                  .defines = "#define RED\n",
                  .source = {{"b", b->texture, TX_EDGE}, {"other", black, TX_EDGE}},
                  .work = 6};
  if (!status)
    status = run(call, red, A, &sweep, A->n[0], 8);
  txPass last = {
      .kernel = "colour_sweep",
      .defines = add ? "#define ADD\n" : NULL,
      .source = {{"b", b->texture, TX_EDGE}, {"other", red, TX_EDGE}, {"x", y->texture, TX_EDGE}},
      .uniform = {{"factor", 1, {factor}}},
      .work = 6};
  if (!status)
    status = txLayoutTexture(&sum, A->context, call, &A->layout);
  if (!status)
    status = run(call, sum, A, &last, A->n[0], 4);
  txTextureDestroy(red);
  return txTextureReplace(&y->texture, sum, status);
}
