/* The residual in double-float of the banded storage: as few passes as the texture units allow,
 * their terms written for each matrix. */
#include "core/allocate.h"
#include "matrix/banded.h"
#include "matrix/residual.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  /* diagonals with a texture in one pass, beside x, b and their lower parts; one is spare */
  STORED = TX_MAX_SOURCES - 5,
  TERMS = 20,
  TAPS = 2 * TERMS,
  /* more than that many terms can take */
  TEXT = 8192
};

/* One pass. */
typedef struct step {
  char text[TEXT];
  size_t length;
  /* texels of x that are fetched, so far away */
  int64_t tap[TAPS][2];
  int taps;
  /* of constant diagonals, four in a uniform */
  float value[TERMS + 3];
  int values;
  /* diagonals' vectors */
  int texture[STORED];
  int textures;
} step;

static void write(step *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(s->text + s->length, TEXT - s->length, format, args);
  va_end(args);
  s->length += n >= 0 && (size_t)n < TEXT - s->length ? (size_t)n : TEXT - s->length - 1;
}

/* The texel (qx, qy) away: "pairs x3 = fetched(tap[3].xy); " where it is new. */
static int tapOf(step *s, int64_t qx, int64_t qy) {
  int t = 0;
  while (t < s->taps && (s->tap[t][0] != qx || s->tap[t][1] != qy))
    t++;
  if (t == s->taps) {
    s->tap[s->taps][0] = qx;
    s->tap[s->taps++][1] = qy;
    write(s, "pairs x%d = fetched(tap[%d].xy); ", t, t);
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
  int first = tapOf(s, qx, qy),
      second = lane ? tapOf(s, wraps ? 0 : qx + 1, wraps ? qy + 1 : qy) : first;
  if (d->texture < 0) {
    s->value[s->values] = d->value;
    write(s, "term(vec4(-value[%d][%d]), ", s->values / 4, s->values % 4);
    s->values++;
  } else {
    if (!s->textures || s->texture[s->textures - 1] != d->texture)
      s->texture[s->textures++] = d->texture;
    write(s, "term(-at(d%d), ", s->textures - 1);
  }
  if (lane)
    write(s, "lanes(x%d, %s, x%d, %s)); ", first, left[lane], second, right[lane]);
  else
    write(s, "x%d); ", first);
}

/* As many of the diagonals from `first` on as fit into one pass; returns how many. Those that share
 * a vector are neighbours. */
static int writeStep(step *s, const txBanded *banded, int first, const txLayout *in) {
  int n = 0, last = -1, textures = 0;
  write(s, "#define TERMS ");
  for (; first + n < banded->diagonals && n < TERMS; n++) {
    const txDiagonal *d = &banded->diagonal[first + n];
    textures += d->texture != last;
    last = d->texture;
    if (textures > STORED)
      break;
    writeTerm(s, d, in);
  }
  write(s, "\n#define TAPS %d\n#define VALUES %d\n", s->taps + !s->taps,
        (s->values + 3) / 4 + !s->values);
  return n;
}

static clStatus runStep(const char *call, const step *s, const txResidual *r) {
  const txBanded *banded = r->A->data;
  const txTexture *in = r->x->high.texture, *out = r->b->high.texture;
  const txLayout *layout = &r->x->high.layout;
  float width = (float)in->width, height = (float)in->height, row = (float)(layout->row / 4),
        tap[TAPS][4] = {{0}};
  for (int t = 0; t < s->taps; t++) {
    tap[t][0] = (float)s->tap[t][0] / width;
    tap[t][1] = (float)s->tap[t][1] / height;
  }
  txPass pass = {
      .kernel = "banded_residual",
      .source = {{"x", in, TX_ZERO}, {"x_low", r->x->low.texture, TX_ZERO}},
      .uniform = {{"tap", s->taps + !s->taps, .array = tap[0]},
                  {"value", (s->values + 3) / 4 + !s->values, .array = s->value},
                  {"scale", 2, {(float)out->width / width, (float)out->height / height}},
                  {"row_end", 3, {layout->grid ? 1e30f : row / width, -row / width, 1 / height}}},
      .work = 2 * s->taps + s->textures + 2};
  for (int t = 0; t < s->textures; t++)
    txPassSource(&pass, txDiagonalName[t], banded->texture[s->texture[t]], TX_EDGE);
  return txResidualRun(call, &pass, s->text, r);
}

clStatus txBandedResidual(const char *call, const txResidual *r) {
  const txBanded *banded = r->A->data;
  txResidual part = *r;
  clDoubleVector *between = NULL;
  clStatus status = TEXLA_OK;
  int first = 0;
  /* each pass subtracts from what the one before has left */
  do {
    step *s = txAllocate(txContextError(r->A->context), call, 1, sizeof *s, "a plan");
    if (!s)
      status = TEXLA_OUT_OF_MEMORY;
    if (!status)
      first += writeStep(s, banded, first, &r->x->high.layout);
    bool last = first >= banded->diagonals;
    if (!status && !last && !between)
      status = txDoubleVectorReserve(&between, r->A->context, call, &r->b->high.layout);
    part.pair = last ? r->pair : between;
    if (!status)
      status = runStep(call, s, &part);
    part.b = between;
    free(s);
  } while (!status && first < banded->diagonals);
  clDoubleVectorDestroy(between);
  return status;
}
