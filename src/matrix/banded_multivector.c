/* Multivectors times diagonals: one pass for as many as the texture units allow. */
#include "matrix/banded.h"
#include "core/try.h"
#include "core/allocate.h"
#include "matrix/multivector.h"
#include "vector/unpack.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STORED = TX_MAX_SOURCES - 2 * TX_GROUPS, TERMS = 24 };

/* One pass. */
typedef struct step {
  /* Texts of the shader, as long as TERMS terms can make them. */
  char text[2048], entries[512], sum[1024];
  float shift[TERMS][4], factor[TERMS / 4][4];
  int terms, factors, textures;
  int texture[STORED];
} step;

static void bandedMultivectorAppend(char *text, size_t n, const char *format, ...)
    TEXLA_PRINTF(3, 4);
static void bandedMultivectorAppend(char *text, size_t n, const char *format, ...) {
  size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, n - used, format, args);
  va_end(args);
}

/* Where x's elements for this diagonal are: in the linear layout whole rows and the rest, to be
 * wrapped at the end of a row. */
static void addShift(step *s, const txDiagonal *d, const txLayout *in) {
  int64_t dx = d->dx, dy = d->dy;
  if (!in->grid) {
    dy = dx / in->row - (dx % in->row < 0);
    dx -= dy * in->row;
  }
  s->shift[s->terms][0] = (float)dx / (float)in->width;
  s->shift[s->terms][1] = (float)dy / (float)in->height;
}

/* False when its texture finds no unit. `many`: the text must not depend on which diagonals share a
 * vector (TX_BANDED_MANY). */
static bool addTerm(step *s, const txDiagonal *d, const txLayout *in, bool many) {
  bool known = !many && s->textures && s->texture[s->textures - 1] == d->texture;
  if (s->terms == TERMS || (d->texture >= 0 && !known && s->textures == STORED))
    return false;
  const char *plus = txWhen(s->terms > 0, " + ");
  const char *fetch = d->shared || many ? "zeroOutside" : "shifted";
  addShift(s, d, in);
  if (d->texture < 0) {
    s->factor[s->factors / 4][s->factors % 4] = d->value;
    bandedMultivectorAppend(s->sum, sizeof s->sum, "%sfactor[%d].%c * zeroOutside(%d)", plus,
                            s->factors / 4, "xyzw"[s->factors % 4], s -> terms);
    s->factors++;
  } else {
    if (!known) {
      bandedMultivectorAppend(s->entries, sizeof s->entries, " float e%d = entry(d%d);",
                              s->textures, s->textures);
      s->texture[s->textures++] = d->texture;
    }
    bandedMultivectorAppend(s->sum, sizeof s->sum, "%se%d * %s(%d)", plus, s->textures - 1, fetch,
                            s->terms);
  }
  s->terms++;
  return true;
}

/* y <- ca (the terms of this step) + cb b; later steps add to what is there. */
static clStatus bandedMultivectorRunStep(const char *call, step *s, const txMultiProduct *product) {
  const txBanded *banded = product->A->data;
  const txLayout *in = &product->x[0]->layout, *out = &product->y[0]->layout;
  int factors = (s->factors + 3) / 4 + !s->factors, terms = s->terms + !s->terms;
  const char *sum = s->terms ? s->sum : "MULTIVECTORS(0.)";
  float w = (float)in->width, h = (float)in->height, row = (float)in->row;
  float row_end = in->grid ? INFINITY : row / w;
  snprintf(s->text, sizeof s->text,
           "#define TERMS %d\n#define FACTORS %d\n#define ENTRIES%s\n#define SUM %s\n", terms,
           factors, s->entries, sum);
  txPass pass = {.kernel = "multivector_banded",
                 .uniform = {{"shift", terms, .array = s->shift[0]},
                             {"factor", factors, .array = s->factor[0]},
                             {"scale", 2, {(float)out->width / w, (float)out->height / h}},
                             {"row_end", 3, {row_end, -row / w, 1 / h}}},
                 .work = product->groups * s->terms + s->textures + 1};
  for (int t = 0; t < s->textures; t++)
    pass.source[t] = (txSource){txDiagonalName[t], banded->unpacked[s->texture[t]], TX_EDGE};
  return txMultivectorRun(call, &pass, s->text, sizeof s->text, product);
}

/* The stored diagonals with one element to a texel, kept: four rows to a texel would be fetched
 * four times. A belongs to its one thread, so that this is safe although it is const. */
static clStatus unpackDiagonals(const char *call, const clMatrix *A) {
  txBanded *banded = A->data;
  if (!banded->unpacked)
    banded->unpacked = txAllocate(txContextError(A->context), call, (size_t)banded->textures + 1,
                                  sizeof(txTexture *), "diagonals");
  if (!banded->unpacked)
    return TEXLA_OUT_OF_MEMORY;
  for (int t = 0; t < banded->textures; t++)
    if (!banded->unpacked[t]) {
      clVector diagonal = {A->context, A->row_layout, banded->texture[t]};
      TRY(txUnpack(&banded->unpacked[t], call, &diagonal));
    }
  return TEXLA_OK;
}

/* As many diagonals to a step as texture units and uniforms allow. */
clStatus txBandedMultiplySeveral(const char *call, const txMultiProduct *product) {
  const txBanded *banded = product->A->data;
  txMultiProduct p = *product;
  bool many = banded->diagonals >= TX_BANDED_MANY;
  int next = 0;
  TRY(unpackDiagonals(call, product->A));
  do {
    step s = {.terms = 0};
    while (next < banded->diagonals &&
           addTerm(&s, &banded->diagonal[next], &product->x[0]->layout, many))
      next++;
    TRY(bandedMultivectorRunStep(call, &s, &p));
    p = txMultivectorAdding(product);
  } while (next < banded->diagonals);
  return TEXLA_OK;
}
