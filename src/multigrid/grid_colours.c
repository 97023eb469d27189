/* Red-black sweeps with the colours in textures of half the size: only what changes is rendered,
 * only what it depends on is fetched.
 *
 * A cycle is x <- x + z with z from zero for what b has left: red z = D^-1 r, black z by a sweep,
 * the correction added to black alone, then red and black by sweeps. As black comes last, its
 * residual is zero after a cycle, and that of red is what the last change of black adds to it. So a
 * cycle that follows needs half of a residual, and of x only red: black is a sweep away. */
#include "multigrid/grid.h"
#include "core/try.h"

#include <stdio.h>

/* Draws on `count` targets, whose rows have `columns` numbers; where these are no multiple of
 * `multiple`, the padding of the last texel is masked. */
static clStatus gridColoursRun(const char *call, const txGrid *A, txPass *pass, int columns,
                               int multiple, txTexture **const *target, int count) {
  const char *defines = pass->defines ? pass->defines : "";
  const char *masked = columns % multiple ? "#define MASKED\n" : "";
  txPassUniform(pass, (txUniform){"interior", 3, .array = A->inverse});
  txPassUniform(pass, (txUniform){"count", 1, {(float)columns}});
  txPassUniform(pass, (txUniform){"size", 2, {(float)A->n[0], (float)A->n[1]}});
  char text[128];
  snprintf(text, sizeof text, "%s%s", defines, masked);
  pass->defines = text;
  clStatus status = txTexturesRun(A->context, call, pass, target, count);
  pass->defines = NULL;
  return status;
}

/* The points of one colour, into *y and, where it is not NULL, *sum; what is not there yet is
 * created. */
static clStatus runHalf(const char *call, const txGrid *A, txPass *pass, txTexture **y,
                        txTexture **sum) {
  txTexture **const target[] = {y, sum};
  int count = sum ? 2 : 1;
  for (int k = 0; k < count; k++)
    if (!*target[k])
      TRY(txTextureCreate(target[k], A->context, call, TX_RGBA32F, (A->n[0] + 7) / 8, A->n[1]));
  return gridColoursRun(call, A, pass, A->n[0], 8, target, count);
}

void txColoursBegin(txColours *c, const clVector *b) {
  txTexture **const all[] = {&c->black, &c->red, &c->sum.texture, &c->left.texture};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    txTextureDestroy(*all[k]);
    *all[k] = NULL;
  }
  c->b = b;
}

clStatus txColoursBefore(const char *call, txColours *c, const txGrid *A, clVector *y) {
  txPass start = {.kernel = "colour_sweep",
                  .defines = "#define START\n",
                  .source = {{"b", c->b->texture, TX_ZERO}},
                  .work = 7};
  txPass next = {.kernel = "colour_sweep",
                 .defines = "#define BLACK\n#define RESULT INVERSE * z\n",
                 .source = {{"other", c->left.texture, TX_EDGE}},
                 .work = 4};
  TRY(runHalf(call, A, c->left.texture ? &next : &start, &c->black, NULL));
  txPass restriction = {
      .kernel = "colour_restrict", .source = {{"black", c->black, TX_EDGE}}, .work = 12};
  return gridColoursRun(call, A, &restriction, (int)y->layout.row, 4,
                        (txTexture * *[]){&y->texture}, 1);
}

clStatus txColoursProlong(const char *call, txColours *c, const txGrid *A, const clVector *e) {
  txPass pass = {.kernel = "colour_prolong",
                 .source = {{"black", c->black, TX_EDGE}, {"e", e->texture, TX_ZERO}},
                 .work = 3};
  return runHalf(call, A, &pass, &c->black, NULL);
}

clStatus txColoursRed(const char *call, txColours *c, const txGrid *A) {
  txPass first = {.kernel = "colour_sweep",
                  .defines = "#define OWN_WHOLE\n#define RESULT z\n",
                  .source = {{"b", c->b->texture, TX_EDGE}, {"other", c->black, TX_EDGE}},
                  .work = 6};
  txPass next = {.kernel = "colour_sweep",
                 .defines = "#define OWN_HALF\n#define RESULT z\n#define SUM\n",
                 .source = {{"b", c->left.texture, TX_EDGE},
                            {"other", c->black, TX_EDGE},
                            {"x", c->sum.texture, TX_EDGE}},
                 .work = 6};
  if (!c->left.texture)
    return runHalf(call, A, &first, &c->sum.texture, NULL);
  return runHalf(call, A, &next, &c->red, &c->sum.texture);
}

/* *change <- black before its last sweep minus black after it */
static clStatus findChange(const char *call, txTexture **change, const txColours *c,
                           const txGrid *A) {
  const txTexture *red = c->red ? c->red : c->sum.texture;
  txPass pass = {.kernel = "colour_sweep",
                 .source = {{"other", red, TX_EDGE},
                            {"old", c->black, TX_EDGE},
                            {"b", c->b->texture, TX_EDGE}},
                 .work = 7};
  pass.defines = "#define BLACK\n#define OWN_WHOLE\n#define RESULT texel(old) - z\n";
  if (c->left.texture)
    pass.defines = "#define BLACK\n#define RESULT texel(old) - z\n";
  return runHalf(call, A, &pass, change, NULL);
}

clStatus txColoursResidual(const char *call, txColours *c, const txGrid *A) {
  txTexture *change = NULL;
  clStatus status = TEXLA_OK;
  if (!c->black)
    return TEXLA_OK;
  TRY_CLEANUP(findChange(call, &change, c, A));
  c->left.context = c->sum.context = A->context;
  txLayoutGrid(&c->left.layout, A->context, (A->n[0] + 1) / 2, A->n[1]);
  c->sum.layout = c->left.layout;
  txPass pass = {.kernel = "colour_sweep",
                 .defines = "#define RESULT sum\n",
                 .source = {{"other", change, TX_EDGE}},
                 .work = 4};
  TRY_CLEANUP(runHalf(call, A, &pass, &c->left.texture, NULL));
  txTextureDestroy(c->black);
  c->black = NULL;
cleanup:
  txTextureDestroy(change);
  return status;
}

clStatus txColoursFinish(const char *call, txColours *c, const txGrid *A, clVector *x, bool add) {
  txPass last = {.kernel = "colour_sweep",
                 .defines = "#define WHOLE\n",
                 .source = {{"b", c->b->texture, TX_EDGE}, {"other", c->sum.texture, TX_EDGE}},
                 .work = 6};
  if (add) {
    last.defines = "#define WHOLE\n#define ADD\n";
    txPassSource(&last, "x", x->texture, TX_EDGE);
  }
  TRY(gridColoursRun(call, A, &last, A->n[0], 4, (txTexture * *[]){&x->texture}, 1));
  txColoursBegin(c, NULL);
  return TEXLA_OK;
}
