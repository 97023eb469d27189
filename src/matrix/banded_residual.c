/* The residual in double-float of the banded storage: as few passes as the texture units allow,
 * their terms written for each matrix. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "matrix/banded.h"
#include "matrix/residual.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  /* Stored diagonals of one pass: texture units are left for x, b and their lower parts, and one is
   * spare. */
  STORED = TX_MAX_SOURCES - 5,
  TERMS = 20,
  TAPS = 2 * TERMS,
  /* Bytes of a shader's text, more than that many terms can take. */
  TEXT = 8192
};

/* One pass. */
typedef struct step {
  char text[TEXT];
  size_t length;
  /* The texels of x that are fetched, by their distance. */
  int64_t tap[TAPS][2];
  int taps;
  /* The values of constant diagonals, four in a uniform. */
  float value[TERMS + 3];
  int values;
  /* The vectors of stored diagonals. */
  int texture[STORED];
  int textures;
} step;

/* Appends to the text of a step, which is long enough for all that can be written. */
static void bandedResidualWrite(step *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(s->text + s->length, TEXT - s->length, format, args);
  va_end(args);
  s->length += (size_t)txLeast64(txMost(n, 0), (int64_t)(TEXT - s->length - 1));
}

/* The texel (qx, qy) away: "pairs x3 = fetched(tap[3].xy); " where it is new. */
static int bandedResidualTapOf(step *s, int64_t qx, int64_t qy) {
  int t = 0;
  while (t < s->taps && (s->tap[t][0] != qx || s->tap[t][1] != qy))
    t++;
  if (t == s->taps) {
    s->tap[s->taps][0] = qx;
    s->tap[s->taps++][1] = qy;
    bandedResidualWrite(s, "pairs x%d = fetched(tap[%d].xy); ", t, t);
  }
  return t;
}

/* "term(-at(d0), lanes(x0, yzw, x1, x)); ": lanes of two texels that follow each other in a row. */
static void writeTerm(step *s, const txDiagonal *d, const txLayout *in) {
  static const char *const left[] = {"", "yzw", "zw", "w"}, *const right[] = {"", "x", "xy", "xyz"};
  int64_t width = in->row / 4, qx = d->dx >> 2, qy = d->dy;
  int lane = (int)(d->dx & 3);
  if (!in->grid) {
    qy = qx / width - (qx % width < 0);
    qx -= qy * width;
  }
  bool wraps = !in->grid && qx + 1 == width;
  int first = bandedResidualTapOf(s, qx, qy), second = first;
  if (lane && wraps)
    second = bandedResidualTapOf(s, 0, qy + 1);
  else if (lane)
    second = bandedResidualTapOf(s, qx + 1, qy);
  if (d->texture < 0) {
    s->value[s->values] = d->value;
    bandedResidualWrite(s, "term(vec4(-value[%d][%d]), ", s->values / 4, s->values % 4);
    s->values++;
  } else {
    if (!s->textures || s->texture[s->textures - 1] != d->texture)
      s->texture[s->textures++] = d->texture;
    bandedResidualWrite(s, "term(-at(d%d), ", s->textures - 1);
  }
  if (lane)
    bandedResidualWrite(s, "lanes(x%d, %s, x%d, %s)); ", first, left[lane], second, right[lane]);
  else
    bandedResidualWrite(s, "x%d); ", first);
}

/* As many of the diagonals from `first` on as fit into one pass; returns how many. Those that share
 * a vector are neighbours. */
static int bandedResidualWriteStep(step *s, const txBanded *banded, int first, const txLayout *in) {
  int n = 0, last = -1, textures = 0;
  bandedResidualWrite(s, "#define TERMS ");
  for (; first + n < banded->diagonals && n < TERMS; n++) {
    const txDiagonal *d = &banded->diagonal[first + n];
    textures += d->texture != last;
    last = d->texture;
    if (textures > STORED)
      break;
    writeTerm(s, d, in);
  }
  bandedResidualWrite(s, "\n#define TAPS %d\n#define VALUES %d\n", s->taps + !s->taps,
                      (s->values + 3) / 4 + !s->values);
  return n;
}

/* One pass: what it subtracts from b, or from what the pass before has left. */
static clStatus bandedResidualRunStep(const char *call, const step *s, const txResidual *r) {
  const txBanded *banded = r->A->data;
  const txTexture *in = r->x->high.texture, *out = r->b->high.texture;
  const txLayout *layout = &r->x->high.layout;
  float width = (float)in->width, height = (float)in->height, row = (float)(layout->row / 4);
  float row_end = layout->grid ? 1e30f : row / width, tap[TAPS][4] = {{0}};
  for (int t = 0; t < s->taps; t++) {
    tap[t][0] = (float)s->tap[t][0] / width;
    tap[t][1] = (float)s->tap[t][1] / height;
  }
  txPass pass = {.kernel = "banded_residual",
                 .source = {{"x", in, TX_ZERO}, {"x_low", r->x->low.texture, TX_ZERO}},
                 .uniform = {{"tap", s->taps + !s->taps, .array = tap[0]},
                             {"value", (s->values + 3) / 4 + !s->values, .array = s->value},
                             {"scale", 2, {(float)out->width / width, (float)out->height / height}},
                             {"row_end", 3, {row_end, -row / width, 1 / height}}},
                 .work = 2 * s->taps + s->textures + 2};
  for (int t = 0; t < s->textures; t++)
    txPassSource(&pass, txDiagonalName[t], banded->texture[s->texture[t]], TX_EDGE);
  return txResidualRun(call, &pass, s->text, r);
}

/* The pass of the diagonals from *first on, which then are those behind them. */
static clStatus runNext(const char *call, const txResidual *r, int *first) {
  step *s = txAllocate(txContextError(r->A->context), call, 1, sizeof *s, "a plan");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  *first += bandedResidualWriteStep(s, r->A->data, *first, &r->x->high.layout);
  clStatus status = bandedResidualRunStep(call, s, r);
  free(s);
  return status;
}

/* How many of the diagonals the pass that begins with `first` leaves over. */
static int leftAfter(const txBanded *banded, int first) {
  int n = 0, last = -1, textures = 0;
  for (; first + n < banded->diagonals && n < TERMS; n++) {
    textures += banded->diagonal[first + n].texture != last;
    last = banded->diagonal[first + n].texture;
    if (textures > STORED)
      break;
  }
  return banded->diagonals - first - n;
}

/* Each pass subtracts from what the one before has left. */
clStatus txBandedResidual(const char *call, const txResidual *r) {
  const txBanded *banded = r->A->data;
  txResidual part = *r;
  clDoubleVector *between = NULL;
  clStatus status = TEXLA_OK;
  int first = 0;
  if (leftAfter(banded, 0) > 0)
    TRY_CLEANUP(txDoubleVectorReserve(&between, r->A->context, call, &r->b->high.layout));
  while (leftAfter(banded, first) > 0) {
    part.pair = between;
    TRY_CLEANUP(runNext(call, &part, &first));
    part.b = between;
  }
  part.pair = r->pair;
  TRY_CLEANUP(runNext(call, &part, &first));
cleanup:
  clDoubleVectorDestroy(between);
  return status;
}
