/* y <- ca op(A) x + cb b for a banded matrix of many diagonals: where they lie is data, so that all
 * products share a few programs. */
#include "matrix/banded.h"
#include "core/numbers.h"

#include <math.h>
#include <stdio.h>

enum {
  /* Stored diagonals of one pass: texture units are left for x and b. */
  STORED = TX_MAX_SOURCES - 2,
  /* Constant diagonals of one pass, whose numbers are uniforms. */
  CONSTANT = 24,
  TEXT = 1024
};

/* The diagonals [first, first + count) of a pass, all stored or all constant. */
typedef struct part {
  int first, count;
  bool constant;
} part;

/* The constant diagonals stand first. */
static int constantsOf(const txBanded *banded) {
  int n = 0;
  while (n < banded->diagonals && banded->diagonal[n].texture < 0)
    n++;
  return n;
}

static part bandedManyPartOf(const txBanded *banded, int pass) {
  int constants = constantsOf(banded), passes = (constants + CONSTANT - 1) / CONSTANT;
  if (pass < passes) {
    int first = pass * CONSTANT;
    return (part){first, txLeast(constants - first, CONSTANT), true};
  }
  int first = constants + (pass - passes) * STORED;
  return (part){first, txLeast(banded->diagonals - first, STORED), false};
}

int txBandedManyPasses(const txBanded *banded) {
  int constants = constantsOf(banded), stored = banded->diagonals - constants;
  return (constants + CONSTANT - 1) / CONSTANT + (stored + STORED - 1) / STORED;
}

/* Depends on how many terms there are, and on nothing else of the matrix. */
static void writeDefines(char text[TEXT], const part *p, const txBandedProduct *product, bool b) {
  const char *plus = "";
  int n = snprintf(text, TEXT, "%s%s%s#define TERMS %d\n#define SUM ", txWhen(b, "#define B\n"),
                   txWhen(product->transposed, "#define TRANSPOSED\n"),
                   txFullDefine(&product->y->layout), p->count);
  for (int k = 0; k < p->count; k++, plus = " + ")
    if (p->constant)
      n += snprintf(text + n, TEXT - (size_t)n, "%sconstant(%d)", plus, k);
    else
      n += snprintf(text + n, TEXT - (size_t)n, "%sstored(%d, d%d)", plus, k, k);
  snprintf(text + n, TEXT - (size_t)n, "\n");
}

/* Where a diagonal finds its elements, in the shader's coordinates, and its value. */
static void bandedManyWritePlace(float out[4], const txDiagonal *d,
                                 const txBandedProduct *product) {
  const txLayout *in = &product->x->layout;
  txShift s = txBandedShift(d, product->transposed, in);
  out[0] = (float)s.qx / (float)in->width;
  out[1] = (float)s.qy / (float)in->height;
  out[2] = (float)s.lane;
  out[3] = d->value;
}

/* One pass: constant diagonals have their value in `place`, stored ones their own texture. */
clStatus txBandedManyRun(const char *call, const txBandedProduct *product, int pass, clVector *y,
                         float cb, const clVector *b) {
  const txBanded *banded = product->A->data;
  const part p = bandedManyPartOf(banded, pass);
  const txTexture *in = product->x->texture, *out = y->texture;
  const txLayout *layout = &product->x->layout;
  float place[CONSTANT][4], width = (float)in->width, height = (float)in->height;
  float back = -(float)(layout->row / 4) / width;
  float row_end = layout->grid ? INFINITY : (float)(layout->row / 4) / width;
  char text[TEXT];
  writeDefines(text, &p, product, b != NULL);
  for (int k = 0; k < p.count; k++)
    bandedManyWritePlace(place[k], &banded->diagonal[p.first + k], product);
  txPass run = {.kernel = "banded_many",
                .defines = text,
                .source = {{"x", in, TX_EDGE}, {"b", b ? b->texture : in, TX_EDGE}},
                .uniform = {{"place", p.count, .array = place[0]},
                            {"scale", 2, {(float)out->width / width, (float)out->height / height}},
                            {"row_end", 4, {row_end, back, 1 / height, 1 / width}},
                            {"c", 2, {product->ca, cb}}},
                .work = 3 * p.count + 1};
  for (int k = 0; k < p.count && !p.constant; k++)
    run.source[2 + k] = (txSource){txDiagonalName[k],
                                   banded->texture[banded->diagonal[p.first + k].texture], TX_EDGE};
  return txVectorRun(call, &run, y);
}
