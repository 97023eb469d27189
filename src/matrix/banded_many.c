/* y <- ca op(A) x + cb b for a banded matrix of many diagonals: where they lie is data, so that all
 * products share a few programs. */
#include "matrix/banded.h"

#include <math.h>
#include <stdio.h>

enum {
  /* diagonals with a texture in one pass, beside x and b */
  STORED = TX_MAX_SOURCES - 2,
  /* diagonals without */
  CONSTANT = 24,
  TEXT = 1024
};

/* The diagonals [first, first + count) of a pass, all stored or all constant. */
typedef struct part {
  int first, count;
  bool constant;
} part;

static int constantsOf(const txBanded *banded) {
  int n = 0;
  while (n < banded->diagonals && banded->diagonal[n].texture < 0)
    n++;
  return n;
}

static part partOf(const txBanded *banded, int pass) {
  int constants = constantsOf(banded), passes = (constants + CONSTANT - 1) / CONSTANT;
  bool constant = pass < passes;
  int first = constant ? pass * CONSTANT : constants + (pass - passes) * STORED;
  int rest = (constant ? constants : banded->diagonals) - first,
      most = constant ? CONSTANT : STORED;
  return (part){first, rest < most ? rest : most, constant};
}

int txBandedManyPasses(const txBanded *banded) {
  int constants = constantsOf(banded), stored = banded->diagonals - constants;
  return (constants + CONSTANT - 1) / CONSTANT + (stored + STORED - 1) / STORED;
}

/* Depends on how many terms there are, and on nothing else of the matrix. */
static void writeDefines(char text[TEXT], const part *p, const txBandedProduct *product, bool b) {
  int n = snprintf(text, TEXT, "%s%s%s#define TERMS %d\n#define SUM ", b ? "#define B\n" : "",
                   product->transposed ? "#define TRANSPOSED\n" : "",
                   txFullDefine(&product->y->layout), p->count);
  for (int k = 0; k < p->count; k++)
    n += p->constant
             ? snprintf(text + n, TEXT - (size_t)n, "%sconstant(%d)", k ? " + " : "", k)
             : snprintf(text + n, TEXT - (size_t)n, "%sstored(%d, d%d)", k ? " + " : "", k, k);
  snprintf(text + n, TEXT - (size_t)n, "\n");
}

static void writePlace(float out[4], const txDiagonal *d, const txBandedProduct *product) {
  const txLayout *in = &product->x->layout;
  txShift s = txBandedShift(d, product->transposed, in);
  out[0] = (float)s.qx / (float)in->width;
  out[1] = (float)s.qy / (float)in->height;
  out[2] = (float)s.lane;
  out[3] = d->value;
}

clStatus txBandedManyRun(const char *call, const txBandedProduct *product, int pass, clVector *y,
                         float cb, const clVector *b) {
  const txBanded *banded = product->A->data;
  const part p = partOf(banded, pass);
  const txTexture *in = product->x->texture, *out = y->texture;
  const txLayout *layout = &product->x->layout;
  float place[CONSTANT][4], width = (float)in->width, height = (float)in->height,
                            row = (float)(layout->row / 4);
  char text[TEXT];
  writeDefines(text, &p, product, b != NULL);
  for (int k = 0; k < p.count; k++)
    writePlace(place[k], &banded->diagonal[p.first + k], product);
  txPass run = {
      .kernel = "banded_many",
      .defines = text,
      .source = {{"x", in, TX_EDGE}, {"b", b ? b->texture : in, TX_EDGE}},
      .uniform = {{"place", p.count, .array = place[0]},
                  {"scale", 2, {(float)out->width / width, (float)out->height / height}},
                  {"row_end",
                   4,
                   {layout->grid ? INFINITY : row / width, -row / width, 1 / height, 1 / width}},
                  {"c", 2, {product->ca, cb}}},
      .work = 3 * p.count + 1};
  for (int k = 0; k < p.count && !p.constant; k++)
    run.source[2 + k] = (txSource){txDiagonalName[k],
                                   banded->texture[banded->diagonal[p.first + k].texture], TX_EDGE};
  return txVectorRun(call, &run, y);
}
