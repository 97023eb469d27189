/* y <- ca op(A) x + cb b for the banded storage: as few passes as the texture units allow,
 * generated per matrix. */
#include "matrix/banded.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "gl/traits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  /* Stored diagonals of one pass: texture units are left for x and b. */
  STORED = TX_MAX_SOURCES - 2,
  TERMS = 24,
  TAPS = 2 * TERMS,
  /* Bytes of a shader's text, more than that many terms can take. */
  TEXT = 32768
};

/* A texel of x, (qx, qy) texels away. */
typedef struct fetch {
  int64_t qx, qy;
  /* The numbers of its column's shift and of its row's. */
  int column, row;
  /* Whether it must read as zero outside x. */
  bool zero;
} fetch;

/* One pass: what is baked into the shader, and its uniforms. */
typedef struct step {
  char text[TEXT];
  size_t length;
  const txLayout *in;
  /* Shifts may leave x on any side, because y has another shape or x is narrower than its rows. */
  bool general;
  fetch tap[TAPS];
  int taps;
  /* Column shifts in .x and row shifts in .y, each of them once; the first one is none. */
  float shift[TAPS][4];
  int columns, rows;
  /* The values of constant diagonals, four in a uniform. */
  float factor[TERMS];
  int factors;
  int texture[STORED];
  int textures;
} step;

_Static_assert((int)STORED <= (int)TX_DIAGONAL_NAMES, "a name for each stored diagonal of a pass");

struct txBandedPlan {
  int steps;
  step step[];
};

/* Appends to the text of a step, which is long enough for all that can be written. */
static void bandedProductWrite(step *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(s->text + s->length, TEXT - s->length, format, args);
  va_end(args);
  s->length += (size_t)txLeast64(txMost(n, 0), (int64_t)(TEXT - s->length - 1));
}

/* The index of a shift by q of `size` texels among the first *count of a component. */
static int shiftIndex(step *s, int component, int *count, int64_t q, int size) {
  float value = (float)q / (float)size;
  int i = 0;
  while (i < *count && s->shift[i][component] != value)
    i++;
  if (i == *count)
    s->shift[(*count)++][component] = value;
  return i;
}

/* The texel (qx, qy) away among those that are fetched; -1: it is not. */
static int findTap(const step *s, int64_t qx, int64_t qy) {
  for (int t = 0; t < s->taps; t++)
    if (s->tap[t].qx == qx && s->tap[t].qy == qy)
      return t;
  return -1;
}

/* The index of the texel (qx, qy) away among those that are fetched. */
static int bandedProductTapOf(step *s, int64_t qx, int64_t qy, bool zero) {
  int t = findTap(s, qx, qy);
  if (t < 0)
    s->tap[t = s->taps++] = (fetch){.qx = qx,
                                    .qy = qy,
                                    .column = shiftIndex(s, 0, &s->columns, qx, s->in->width),
                                    .row = shiftIndex(s, 1, &s->rows, qy, s->in->height)};
  s->tap[t].zero |= zero;
  return t;
}

/* The number of a stored diagonal's vector among those that the pass reads. */
static int textureOf(step *s, int texture) {
  int t = 0;
  while (t < s->textures && s->texture[t] != texture)
    t++;
  if (t == s->textures)
    s->texture[s->textures++] = texture;
  return t;
}

/* "near(x, -1, 0)" for neighbours, "at(x, p3)" for all others: each shift of its own would be one
 * more program. */
static void writeFetch(step *s, const char *sampler, int tap) {
  const fetch *t = &s->tap[tap];
  bool neighbour = (t->qx || t->qy) && t->qx >= -1 && t->qx <= 1 && t->qy >= -1 && t->qy <= 1;
  if (neighbour && (!t->qx || s->in->grid))
    bandedProductWrite(s, "near(%s, %d, %d)", sampler, (int)t->qx, (int)t->qy);
  else
    bandedProductWrite(s, "at(%s, p%d)", sampler, tap);
}

/* "x3", or for the transposed product "(at(d2, p3) * x3)" */
static void writeTap(step *s, int tap, int texture) {
  if (texture < 0) {
    bandedProductWrite(s, "x%d", tap);
    return;
  }
  bandedProductWrite(s, "(");
  writeFetch(s, txDiagonalName[texture], tap);
  bandedProductWrite(s, " * x%d)", tap);
}

/* Four elements from two texels that follow each other: a shift by a lane is a static swizzle. */
static void bandedProductWriteLanes(step *s, txShift at, int texture, bool zero) {
  static const char *const left[] = {"", ".yzw", ".zw", ".w"}, *const right[] = {"", ".x", ".xy",
                                                                                 ".xyz"};
  int first = bandedProductTapOf(s, at.qx, at.qy, zero);
  if (!at.lane) {
    writeTap(s, first, texture);
    return;
  }
  bool next = !s->in->grid && at.qx + 1 == s->in->row / 4;
  int second;
  if (next)
    second = bandedProductTapOf(s, 0, at.qy + 1, zero);
  else
    second = bandedProductTapOf(s, at.qx + 1, at.qy, zero);
  bandedProductWrite(s, "vec4(");
  writeTap(s, first, texture);
  bandedProductWrite(s, "%s, ", left[at.lane]);
  writeTap(s, second, texture);
  bandedProductWrite(s, "%s)", right[at.lane]);
}

/* " + a0 * x1", or for the transposed product " + (at(d0, p1) * x1)". Beyond x lies zero: the
 * diagonal's own zeros see to it, unless it is transposed or shared. */
static void writeStored(step *s, const txDiagonal *d, bool transposed) {
  int texture = textureOf(s, d->texture);
  const txShift shift = txBandedShift(d, transposed, s->in);
  if (transposed) {
    bandedProductWrite(s, " + ");
    bandedProductWriteLanes(s, shift, texture, true);
  } else {
    bandedProductWrite(s, " + a%d * ", texture);
    bandedProductWriteLanes(s, shift, -1, d->shared);
  }
}

/* " + factor[0].x * (x0 + x1)": the constant diagonals with the value of the first one, if that is
 * the value's first. */
static void writeConstants(step *s, const txDiagonal *all, int first, int count, bool transposed) {
  float value = all[first].value;
  for (int i = 0; i < first; i++)
    if (all[i].texture < 0 && all[i].value == value)
      return;
  s->factor[s->factors] = value;
  bandedProductWrite(s, " + factor[%d].%c * (", s->factors / 4, "xyzw"[s->factors % 4]);
  s->factors++;
  for (int i = first; i < count; i++)
    if (all[i].texture < 0 && all[i].value == value) {
      bandedProductWrite(s, "%s", txWhen(i > first, " + "));
      bandedProductWriteLanes(s, txBandedShift(&all[i], transposed, s->in), -1, true);
    }
  bandedProductWrite(s, ")");
}

/* "c.x * (stored) + constant", the factors times c.x already. */
static void writeSum(step *s, const txDiagonal *d, int count, bool transposed) {
  int stored = 0;
  for (int i = 0; i < count; i++)
    stored += d[i].texture >= 0;
  bandedProductWrite(s, "%svec4(0.)", txWhen(stored > 0, "c.x * ("));
  for (int i = 0; i < count; i++)
    if (d[i].texture >= 0)
      writeStored(s, &d[i], transposed);
  bandedProductWrite(s, "%s", txWhen(stored > 0, ")"));
  for (int i = 0; i < count; i++)
    if (d[i].texture < 0)
      writeConstants(s, d, i, count, transposed);
}

/* " || p3.y > 1." where the tap can leave x: in the direction of its shift only, when x and y have
 * the same shape. */
static void writeOutside(step *s, int i) {
  const fetch *t = &s->tap[i];
  if (s->general) {
    bandedProductWrite(s, " || outside(p%d)", i);
    return;
  }
  bool grid = s->in->grid;
  if (t->qy < 0)
    bandedProductWrite(s, " || p%d.y < 0.", i);
  else if (t->qy || (t->qx && !grid))
    bandedProductWrite(s, " || p%d.y > 1.", i);
  if (t->qx < 0 && grid)
    bandedProductWrite(s, " || p%d.x < 0.", i);
  else if (t->qx && grid)
    bandedProductWrite(s, " || p%d.x > 1.", i);
}

/* "vec2 p3 = ...;" */
static void bandedProductWritePlace(step *s, int i) {
  const fetch *t = &s->tap[i];
  char u[16] = "o.x", v[16] = "o.y";
  if (t->column)
    snprintf(u, sizeof u, "u%d", t->column);
  if (t->row)
    snprintf(v, sizeof v, "v%d", t->row);
  bandedProductWrite(s, " vec2 p%d = %s(vec2(%s, %s));", i,
                     txWhen(t->qx && !s->in->grid, "wrapped"), u, v);
}

/* "vec4 x3 = at(x, p3);" */
static void bandedProductWriteSource(step *s, int i) {
  const fetch *t = &s->tap[i];
  if (t->zero) {
    bandedProductWrite(s, " vec4 x%d = zeroIf(false", i);
    writeOutside(s, i);
    bandedProductWrite(s, ", ");
    writeFetch(s, "x", i);
    bandedProductWrite(s, ");");
  } else {
    bandedProductWrite(s, " vec4 x%d = ", i);
    writeFetch(s, "x", i);
    bandedProductWrite(s, ";");
  }
}

/* Is tap i one of two that lie beside a third, or above and below the middle? */
static bool isPaired(const step *s, int i, bool upright) {
  const fetch *t = &s->tap[i];
  if (!s->in->grid)
    return false;
  if (upright)
    return !t->qx && (t->qy == 1 || t->qy == -1) && findTap(s, 0, -t->qy) >= 0 &&
           findTap(s, 0, 0) >= 0;
  return (t->qx == 1 || t->qx == -1) && t->qy * t->qy <= 1 && findTap(s, -t->qx, t->qy) >= 0 &&
         findTap(s, 0, t->qy) >= 0;
}

static const char *truth(bool holds) {
  return holds ? "true" : "false";
}

/* "vec4 x1, x2; besides(p0, x0, true, x1, x2);" */
static void writeBesides(step *s, int left) {
  const fetch *t = &s->tap[left];
  int right = findTap(s, 1, t->qy), middle = findTap(s, 0, t->qy);
  bandedProductWrite(s, " vec4 x%d, x%d; besides(p%d, x%d, %s, x%d, x%d);", left, right, middle,
                     middle, truth(t->zero || s->tap[right].zero), left, right);
}

/* "vec4 x3, x4; stacked(p0, x0, true, x3, x4);" */
static void writeStacked(step *s, int below) {
  int above = findTap(s, 0, 1), middle = findTap(s, 0, 0);
  bandedProductWrite(s, " vec4 x%d, x%d; stacked(p%d, x%d, %s, x%d, x%d);", below, above, middle,
                     middle, truth(s->tap[below].zero || s->tap[above].zero), below, above);
}

/* Those beside the middle first, of which one lane each is kept; others may lie beside the texels
 * of the vertical pair. */
static void writePairs(step *s) {
  for (int i = 0; i < s->taps; i++)
    if (s->tap[i].qx < 0 && !s->tap[i].qy && isPaired(s, i, false))
      writeBesides(s, i);
  for (int i = 0; i < s->taps; i++)
    if (s->tap[i].qy < 0 && isPaired(s, i, true))
      writeStacked(s, i);
  for (int i = 0; i < s->taps; i++)
    if (s->tap[i].qx < 0 && s->tap[i].qy && isPaired(s, i, false))
      writeBesides(s, i);
}

/* Two ways to the texels: each by a fetch, or some of them from fragments nearby. */
static void bandedProductWriteSources(step *s, bool pairs) {
  for (int i = 1; i < s->columns; i++)
    bandedProductWrite(s, " float u%d = o.x + shift[%d].x;", i, i);
  for (int i = 1; i < s->rows; i++)
    bandedProductWrite(s, " float v%d = o.y + shift[%d].y;", i, i);
  for (int i = 0; i < s->taps; i++) {
    bandedProductWritePlace(s, i);
    if (!pairs || (!isPaired(s, i, true) && !isPaired(s, i, false)))
      bandedProductWriteSource(s, i);
  }
  if (pairs)
    writePairs(s);
}

/* How many of the diagonals from the first on fit into one pass. */
static int countTerms(const txDiagonal *d, int count) {
  int n = 0, textures = 0, last = -1;
  while (n < count && n < TERMS) {
    textures += d[n].texture != last;
    last = d[n].texture;
    if (textures > STORED)
      break;
    n++;
  }
  return n;
}

static int shiftsOf(const step *s) {
  return txMost(s->columns, s->rows);
}

static int factorsOf(const step *s) {
  return (s->factors + 3) / 4 + !s->factors;
}

/* The whole text of a pass. Its parts are macros, which the shader uses where they belong. */
static void bandedProductWriteStep(step *s, const txDiagonal *d, int count, bool transposed,
                                   const txLayout *in, const txLayout *out) {
  bool scaled = out->width != in->width || out->height != in->height;
  s->in = in;
  s->general = scaled || (!in->grid && 4 * (int64_t)in->width < in->row);
  s->columns = s->rows = 1;
  bandedProductWrite(s, "#define B\n#define SUM ");
  writeSum(s, d, count, transposed);
  bandedProductWrite(s, "\n#define DIAGONALS");
  for (int t = 0; t < s->textures && !transposed; t++)
    bandedProductWrite(s, " vec4 a%d = at(d%d, uv);", t, t);
  bandedProductWrite(s, "\n#define FETCH");
  bandedProductWriteSources(s, false);
  bandedProductWrite(s, "\n#define PAIRS");
  bandedProductWriteSources(s, true);
  bandedProductWrite(s, "\n#define SHIFTS %d\n#define FACTORS %d\n", shiftsOf(s), factorsOf(s));
  if (scaled)
    bandedProductWrite(s, "#define SCALED\n");
  bandedProductWrite(s, "%s", txFullDefine(out));
}

/* How many passes there will be is counted first, so that the plan is one block of memory. */
static txBandedPlan *makePlan(const char *call, const clMatrix *A, bool transposed) {
  const txBanded *banded = A->data;
  const txLayout *in = &A->col_layout, *out = &A->row_layout;
  if (transposed) {
    in = &A->row_layout;
    out = &A->col_layout;
  }
  int steps = 0, first = 0;
  do {
    first += countTerms(banded->diagonal + first, banded->diagonals - first);
    steps++;
  } while (first < banded->diagonals);
  txBandedPlan *plan =
      txAllocate(txContextError(A->context), call, 1,
                 sizeof *plan + (size_t)steps * sizeof *plan->step, "the plan of a product");
  if (!plan)
    return NULL;
  plan->steps = steps;
  first = 0;
  for (int i = 0; i < steps; i++) {
    int count = countTerms(banded->diagonal + first, banded->diagonals - first);
    bandedProductWriteStep(&plan->step[i], banded->diagonal + first, count, transposed, in, out);
    first += count;
  }
  return plan;
}

/* y <- ca (the terms of this step) + cb b, or without b where the define B is missing. */
static clStatus bandedProductRunStep(const char *call, const txBandedProduct *product,
                                     const step *s, clVector *y, float cb, const clVector *b) {
  const txBanded *banded = product->A->data;
  const clVector *x = product->x;
  const txTexture *in = x->texture, *out = y->texture;
  float factor[TERMS] = {0};
  for (int i = 0; i < s->factors; i++)
    factor[i] = product->ca * s->factor[i];
  float width = (float)in->width, height = (float)in->height, row = (float)(x->layout.row / 4);
  txPass pass = {.kernel = "banded",
                 .vertex = "banded",
                 .defines = s->text,
                 .source = {{"x", in, TX_EDGE}, {"b", in, TX_EDGE}},
                 .uniform = {{"shift", shiftsOf(s), .array = s->shift[0]},
                             {"factors", factorsOf(s), .array = factor},
                             {"scale", 2, {(float)out->width / width, (float)out->height / height}},
                             {"row_end", 3, {row / width, -row / width, 1 / height}},
                             {"c", 2, {product->ca, cb}}},
                 .work = s->taps + s->textures + 1};
  if (b)
    pass.source[1].texture = b->texture;
  else
    pass.defines = strchr(s->text, '\n') + 1; /* The first line is "#define B". */
  /* The program for all of it is the one with PAIRS. */
  if (txContextTraits(product->A->context)->inner_programs && !s->general)
    pass.inside = (txRect){0, 0, out->width, out->height};
  for (int t = 0; t < s->textures; t++)
    pass.source[2 + t] = (txSource){txDiagonalName[t], banded->texture[s->texture[t]], TX_EDGE};
  return txVectorRun(call, &pass, y);
}

/* Pass i of a product: by the plan, or by data where there is none. */
static clStatus bandedProductRunPass(const char *call, const txBandedProduct *product,
                                     const txBandedPlan *plan, int i, clVector *y, float cb,
                                     const clVector *b) {
  if (!plan)
    return txBandedManyRun(call, product, i, y, cb, b);
  return bandedProductRunStep(call, product, &plan->step[i], y, cb, b);
}

/* Several passes accumulate in a vector of their own: a failure leaves y as it was, and b may be
 * y. */
static clStatus runPasses(const char *call, const txBandedProduct *product,
                          const txBandedPlan *plan, int passes, clVector *y, float cb,
                          const clVector *b) {
  clVector work = *y;
  TRY(txLayoutTexture(&work.texture, y->context, call, &y->layout));
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(bandedProductRunPass(call, product, plan, 0, &work, cb, b));
  for (int i = 1; i < passes; i++)
    TRY_CLEANUP(bandedProductRunPass(call, product, plan, i, &work, 1, &work));
  txTextureExchange(&y->texture, &work.texture);
cleanup:
  txTextureDestroy(work.texture);
  return status;
}

/* The plan is made at the first product and kept. A belongs to its one thread, so that this is safe
 * although it is const. */
clStatus txBandedMultiply(const char *call, clVector *y, float ca, const clMatrix *A,
                          bool transposed, const clVector *x, float cb, const clVector *b) {
  txBanded *banded = A->data;
  bool many = banded->diagonals >= TX_BANDED_MANY;
  txBandedProduct product = {A, y, x, ca, transposed};
  txBandedPlan *plan = NULL;
  int passes;
  if (many) {
    passes = txBandedManyPasses(banded);
  } else {
    plan = banded->plan[transposed];
    if (!plan)
      plan = banded->plan[transposed] = makePlan(call, A, transposed);
    if (!plan)
      return TEXLA_OUT_OF_MEMORY;
    passes = plan->steps;
  }
  if (passes > 1)
    return runPasses(call, &product, plan, passes, y, cb, b);
  return bandedProductRunPass(call, &product, plan, 0, y, cb, b);
}

/* The main diagonal has a vector of its own, or is constant, or empty. */
clStatus txBandedDiagonal(const char *call, clVector *d, const clMatrix *A) {
  const txBanded *banded = A->data;
  const txDiagonal none = {.texture = -1}, *main = &none;
  for (int i = 0; i < banded->diagonals; i++)
    if (!banded->diagonal[i].dx && !banded->diagonal[i].dy)
      main = &banded->diagonal[i];
  if (main->texture < 0) {
    txPass fill = {.kernel = "fill", .uniform = {{"value", 1, {main->value}}}};
    return txVectorRun(call, &fill, d);
  }
  txPass copy = {.kernel = "copy", .source = {{"x", banded->texture[main->texture], TX_EDGE}}};
  return txVectorRun(call, &copy, d);
}
