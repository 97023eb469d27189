/* Reductions (K2): levels of strips until few texels are left, then one fragment for the rest. */
#include "vector/reduce.h"
#include "core/allocate.h"
#include "core/try.h"
#include "core/numbers.h"
#include "gl/traits.h"
#include "gl/tuning.h"

#include <stdio.h>
#include <stdlib.h>

/* A fragment joins a strip of texels, which lie apart, so that neighbouring strips interleave;
 * `next` of them where there are few, on the levels after the first. The last fragment joins up to
 * `last`, or fewer where each works out several sums: as many as a level would not make faster;
 * with `together`, so many groups of 16 of them are fetched at once, which hides how long a fetch
 * takes, where one fragment has nothing else to hide it. With `quad` the four invocations that a
 * fragment is shaded with join a quarter each, so that one pass does what else takes two. With
 * `blocks` the strips of the first level lie as processors read fastest
 * (shaders/vector/strip.glsl). Which shape is the fastest is measured. */
typedef struct shapeOf {
  int strip, next, last, together;
  bool quad, blocks;
} shapeOf;
static const shapeOf shapes[] = {{8, 8, 256, 0},           {16, 16, 256, 0},
                                 {32, 32, 256, 0},         {64, 64, 256, 0},
                                 {512, 32, 2048, 4, true}, {512, 32, 2048, 8, true},
                                 {64, 64, 256, 1},         {128, 64, 256, 1},
                                 {128, 32, 256, 1},        {1024, 32, 1024, 4, true},
                                 {64, 16, 64, 1},          {128, 16, 64, 1},
                                 {128, 32, 256, 4},        {128, 16, 512, 4, true},
                                 {256, 32, 256, 1},        {256, 32, 4096, 8, true},
                                 {128, 32, 512, 1},        {128, 32, 512, 1, false, true}};
enum {
  SHAPES = sizeof shapes / sizeof *shapes,
  USUAL = 2,
  /* That of a software renderer: which of the best is measured to be the fastest depends on what
   * else runs, and each sums in another order; so results would differ from one first use to
   * another. [a product of 1024^2, llvmpipe, ms of processor time: 0.9 to 1.2 with strips of 128,
   * then 32; shapes 3 to 13 0.9 to 2, the others 1.5 to 3. That the last pass joins 512 texels, not
   * 256, saves one of three passes with 512^2: a tenth of conjugate gradients' processor time
   * where others use the machine, too. In blocks: by the clock 0.8 of that with 1024^2, 0.3 with
   * 2048^2] */
  IN_SOFTWARE = 17,
  /* The usual shape is as good as any where there are fewer texels: a small problem does not wait
   * for a dozen programs to be compiled and measured. */
  TUNED = 1 << 16,
  LAST_OF_SUMS = 64,
  /* Fragments that a processor shades at once (llvmpipe: with vectors of eight numbers), and the
   * least width of sources whose rows' ends do not count. */
  WIDE = 4,
  HIGH = 2,
  LEAST_OF_BLOCKS = 64,
  /* With fewer texels a quad's invocations would not all have one. */
  LEAST_OF_QUAD = 64,
  /* Elements that the last pass of each shape with quads takes at once. */
  SHORT = 4 * 512,
  /* Of a reduction with a first level of its own, whose others take long for a texel. [argmax of
   * 2048^2 on an H200: 75 us instead of 91] */
  NEXT_OF_KERNEL = 16,
  LAST_OF_KERNEL = 64
};

typedef struct level {
  const txTexture *texture[TX_REDUCE_SOURCES];
  int sources;
  /* The sources are vectors, to which the term applies; those of the other levels are sums. */
  bool first;
} level;

/* What makes double-float arithmetic right on this device, for reductions that use it. */
static const char *arithmeticOf(const txReduction *r) {
  return r->double_float ? txDoubleFloatDefine(r->source[0]->context) : "";
}

/* The defines of a level, or of the last pass, which are the caller's own (`more`). Returns their
 * length. */
static int defines(const txReduction *r, const level *l, const char *more, char *text, size_t n) {
  const char *term = txWhen(l->first, "#define TERM(p) "), *of = txWhen(l->first, r->term);
  if (!more)
    more = "";
  if (r->sums)
    return snprintf(text, n, "%s#define SUMS %d\n%s%s\n%s", arithmeticOf(r), r->sums, term, of,
                    more);
  if (!r->combine)
    return snprintf(text, n, "%s%s\n\n%s", term, of, more);
  return snprintf(text, n, "%s%s\n#define COMBINE(a, b) %s\n%s", term, of, r->combine, more);
}

/* Sources by the names that the kernels know, and what a kernel must know to find the end of a
 * vector. */
static void setSources(txPass *pass, const txReduction *r, const level *l, bool zero_outside) {
  static const char *const one[TX_REDUCE_SOURCES] = {"x", "y", "z", "w"},
                           *const several[TX_REDUCE_SOURCES] = {"s0", "s1", "s2", "s3",
                                                                "s4", "s5", "s6", "s7"};
  const char *const *name = r->sums ? several : one;
  txSampling sampling = zero_outside ? TX_ZERO : TX_EDGE;
  for (int i = 0; i < l->sources; i++)
    pass->source[i] = (txSource){name[i], l->texture[i], sampling};
  const txTexture *t = l->texture[0];
  txPassUniform(pass, (txUniform){"size", 2, {(float)t->width, (float)t->height}, NULL, false});
  txUniform extent = {"extent", 3, {0}, NULL, false};
  txLayoutExtent(&r->source[0]->layout, extent.value);
  txPassUniform(pass, extent);
}

static const char *reduceKernelOf(const txReduction *r, const level *l) {
  if (r->double_float)
    return "double_sums";
  if (r->sums)
    return "sums";
  if (l->first && r->kernel)
    return r->kernel;
  return "reduce";
}

/* The strips of a level, and the size of the results: what shaders/vector/strip.glsl is given, and
 * whether all texels of the strips exist. */
typedef struct stripes {
  int width, height;
  float span_x, span_y, stride, blocks[2];
  const char *form;
  bool within;
} stripes;

/* Along y where it is long enough, else along the longer side. The texels of a strip lie as far
 * apart as there are strips. */
static stripes stripesOf(const txTexture *t, int strip) {
  stripes s = {.span_x = 1, .span_y = 1, .width = t->width, .height = t->height};
  if (t->height >= strip || t->height >= t->width) {
    s.form = "AXIS y";
    s.height = txCeilDiv(t->height, strip);
    s.stride = s.span_y = (float)s.height / (float)t->height;
    s.within = s.height * strip == t->height;
  } else {
    s.form = "AXIS x";
    s.width = txCeilDiv(t->width, strip);
    s.stride = s.span_x = (float)s.width / (float)t->width;
    s.within = s.width * strip == t->width;
  }
  return s;
}

/* In blocks of WIDE x HIGH fragments: one column of them, or several where it would be too high. */
static stripes reduceBlocksOf(const txTexture *t, int strip, int limit) {
  const int steps = txCeilDiv(t->width, WIDE * HIGH);
  const int64_t all = (int64_t)steps * t->height, blocks = txCeilDiv64(all, strip);
  const int columns = (int)txCeilDiv64(blocks * HIGH, limit);
  const int rows = (int)txCeilDiv64(blocks, columns);
  return (stripes){.form = "BLOCKS",
                   .width = WIDE * columns,
                   .height = HIGH * rows,
                   .span_x = (float)(WIDE * HIGH * steps) / (float)t->width,
                   .span_y = 1 / (float)t->height,
                   .stride = WIDE * HIGH / (float)t->width,
                   .blocks = {(float)columns, (float)steps},
                   .within =
                       steps * WIDE * HIGH == t->width && (int64_t)columns * rows * strip == all};
}

/* One level. Beyond the edge a sum reads zeros, an idempotent combination the edge once more. *l <-
 * the results, of which the caller owns the textures. */
static clStatus reduceLevel(clContext *context, const char *call, const txReduction *r, int strip,
                            bool in_blocks, level *l) {
  stripes s = stripesOf(l->texture[0], strip);
  if (in_blocks)
    s = reduceBlocksOf(l->texture[0], strip, clContextInspect(context)->max_texture_size);
  char text[1024], more[80];
  snprintf(more, sizeof more, "#define STRIP %d\n#define %s\n%s", strip, s.form,
           txWhen(s.within, "#define WITHIN\n"));
  defines(r, l, more, text, sizeof text);
  txPass pass = {.kernel = reduceKernelOf(r, l),
                 .defines = text,
                 .uniform = {{"span", 2, {s.span_x, s.span_y}},
                             {"stride", 1, {s.stride}},
                             {"blocks", 2, {s.blocks[0], s.blocks[1]}, .integer = true}},
                 .work = (int64_t)strip * l->sources};
  setSources(&pass, r, l, !s.within && !r->combine);
  level next = {.sources = r->sums ? r->sums : 1};
  clStatus status = TEXLA_OK;
  for (int i = 0; i < next.sources; i++) {
    TRY_CLEANUP(txTextureCreate(&pass.target[i], context, call, TX_RGBA32F, s.width, s.height));
    next.texture[i] = pass.target[i];
  }
  TRY_CLEANUP(txPassRun(context, call, &pass));
  *l = next;
  return TEXLA_OK;
cleanup:
  for (int i = 0; i < next.sources; i++)
    txTextureDestroy(pass.target[i]);
  return status;
}

static void reduceDestroyLevel(const level *l) {
  for (int i = 0; i < l->sources && !l->first; i++)
    txTextureDestroy((txTexture *)l->texture[i]);
}

/* How many texels are left. */
static int64_t reduceSizeOf(const level *l) {
  return (int64_t)l->texture[0]->width * l->texture[0]->height;
}

/* The last pass: one fragment joins what the levels have left. */
static clStatus reduceRest(const char *call, const txReduction *r, const level *l, txPass *final,
                           const shapeOf *shape) {
  char text[1024];
  const char *more = final->defines;
  bool quad = shape->quad && !r->sums && reduceSizeOf(l) >= LEAST_OF_QUAD;
  int n = defines(r, l, more, text, sizeof text);
  if (shape->together && n > 0 && n < (int)sizeof text)
    snprintf(text + n, sizeof text - (size_t)n, "#define TOGETHER %d\n%s", shape->together,
             txWhen(quad, "#define QUAD\n"));
  final->defines = text;
  setSources(final, r, l, false);
  clStatus status = txPassRun(r->source[0]->context, call, final);
  final->defines = more;
  return status;
}

/* How many texels the last pass joins. In one of several sums every fragment works all of them
 * out. */
static int lastOf(const txReduction *r, const shapeOf *shape) {
  if (r->sums)
    return LAST_OF_SUMS;
  return r->kernel ? txLeast(shape->last, LAST_OF_KERNEL) : shape->last;
}

static clStatus reduceWith(const char *call, const txReduction *r, txPass *final,
                           const shapeOf *shape) {
  clContext *context = r->source[0]->context;
  level l = {.first = true};
  clStatus status = TEXLA_OK;
  int last = lastOf(r, shape), strip = shape->strip;
  for (; l.sources < TX_REDUCE_SOURCES && r->source[l.sources]; l.sources++)
    l.texture[l.sources] = r->source[l.sources]->texture;
  while (reduceSizeOf(&l) > last) {
    level before = l;
    const bool in_blocks = shape->blocks && l.first && l.texture[0]->width >= LEAST_OF_BLOCKS;
    TRY_CLEANUP(reduceLevel(context, call, r, strip, in_blocks, &l));
    reduceDestroyLevel(&before);
    strip = r->kernel ? txLeast(shape->next, NEXT_OF_KERNEL) : shape->next;
  }
  TRY_CLEANUP(reduceRest(call, r, &l, final, shape));
cleanup:
  reduceDestroyLevel(&l);
  return status;
}

static txReduction reduceDotOf(const clVector *x, const clVector *y) {
  return (txReduction){.source = {x, y}, .term = "at(x, p) * at(y, p)"};
}

/* Tuned with a dot product: of vectors that are large for a graphics card, where a pass over few
 * takes no time. x holds small integers without a pattern, y ones, so that the product is exactly
 * `sum`. */
typedef struct tuningCase {
  clContext *context;
  clVector *x, *y;
  clFloat *s;
  int64_t length;
  float sum;
  bool checked[SHAPES];
} tuningCase;

static clStatus fillCase(tuningCase *c, int64_t length) {
  float *values =
      txAllocate(txContextError(c->context), "tuning", (size_t)length, sizeof *values, "numbers");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  uint32_t state = 1;
  for (int64_t i = 0; i < length; i++) {
    state = state * 1664525u + 1013904223u;
    values[i] = (float)(state >> 30);
    c->sum += values[i];
  }
  clStatus status = clVectorUpload(c->x, values);
  free(values);
  TRY(status);
  return clVectorFill(c->y, 1);
}

/* The vectors are made at the first run. */
static clStatus createCase(tuningCase *c) {
  if (c->s)
    return TEXLA_OK;
  TRY(clVectorCreate(&c->x, c->context, c->length));
  TRY(clVectorCreate(&c->y, c->context, c->length));
  TRY(fillCase(c, c->length));
  return clFloatCreate(&c->s, c->context);
}

/* Drivers may take one derivative for all of a quad, which then does not hand over what was meant:
 * there shapes with quads fail, and are left out. */
static clStatus checkCase(tuningCase *c, int value) {
  float sum = 0;
  if (c->checked[value] || !shapes[value].quad)
    return TEXLA_OK;
  TRY(clFloatDownload(c->s, &sum));
  c->checked[value] = sum == c->sum;
  return c->checked[value] ? TEXLA_OK : TEXLA_UNSUPPORTED;
}

/* One run of a shape for the measurement. */
static clStatus reduceRunCase(void *user, int value) {
  tuningCase *c = user;
  TRY(createCase(c));
  txReduction r = reduceDotOf(c->x, c->y);
  txPass final = {.kernel = "reduce_final",
                  .defines = "#define RESULT (v.x + v.y) + (v.z + v.w)\n",
                  .target = {c->s->texture}};
  TRY(reduceWith("tuning", &r, &final, &shapes[value]));
  return checkCase(c, value);
}

static void destroyCase(tuningCase *c) {
  clVectorDestroy(c->x);
  clVectorDestroy(c->y);
  clFloatDestroy(c->s);
}

/* The first large reduction of a graphics card measures, later ones look the choice up. */
static clStatus measureShape(clContext *context, int *chosen) {
  int place[SHAPES];
  tuningCase c = {.context = context, .length = 1 << 22};
  for (int i = 0; i < SHAPES; i++)
    place[i] = i;
  clStatus status =
      txTuningChoose(context, "reduce.shape", place, SHAPES, reduceRunCase, &c, USUAL, chosen);
  destroyCase(&c);
  return status;
}

/* A shape with quads is tried on a sum that its last pass alone takes. */
static clStatus checkShape(clContext *context, int fallback, int *chosen) {
  tuningCase c = {.context = context, .length = SHORT};
  if (!shapes[*chosen].quad)
    return TEXLA_OK;
  clStatus status = txTuningCheck(context, "reduce.shape", reduceRunCase, &c, fallback, chosen);
  destroyCase(&c);
  return status;
}

static clStatus reduceChooseShape(clContext *context, const shapeOf **shape) {
  int chosen = IN_SOFTWARE, usual = USUAL;
  if (txContextTraits(context)->host_shades) {
    usual = IN_SOFTWARE;
    txTuningKnown(context, "reduce.shape", &chosen);
  } else {
    TRY(measureShape(context, &chosen));
  }
  if (chosen < 0 || chosen >= SHAPES)
    chosen = usual;
  TRY(checkShape(context, usual, &chosen));
  *shape = &shapes[chosen];
  return TEXLA_OK;
}

clStatus txReduce(const char *call, const txReduction *reduction, txPass *final) {
  const shapeOf *shape = &shapes[USUAL];
  const txLayout *layout = &reduction->source[0]->layout;
  if ((int64_t)layout->width * layout->height >= TUNED)
    TRY(reduceChooseShape(reduction->source[0]->context, &shape));
  return reduceWith(call, reduction, final, shape);
}

/* The last pass works `result` out from v, the four sums of the lanes. */
static clStatus reduceTo(const char *call, clFloat *s, const txReduction *r, const char *result) {
  clContext *context = r->source[0]->context;
  if (!s)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "s must not be NULL");
  TRY(txContextSame(context, s->context, call));
  char text[160];
  snprintf(text, sizeof text, "#define RESULT %s\n", result);
  txPass final = {.kernel = "reduce_final", .defines = text, .target = {s->texture}};
  return txReduce(call, r, &final);
}

/* s <- `result` of one vector. */
static clStatus reduceOne(const char *call, clFloat *s, const clVector *x, const char *term,
                          const char *combine, const char *result) {
  TRY(txVectorsAgree(call, "x", x, NULL, NULL));
  txReduction r = {.source = {x}, .term = term, .combine = combine};
  return reduceTo(call, s, &r, result);
}

clStatus clVectorSum(clFloat *s, const clVector *x) {
  return reduceOne("clVectorSum", s, x, "at(x, p)", NULL, "(v.x + v.y) + (v.z + v.w)");
}

clStatus clVectorDot(clFloat *s, const clVector *x, const clVector *y) {
  static const char call[] = "clVectorDot";
  TRY(txVectorsAgree(call, "x", x, "y", y));
  txReduction r = reduceDotOf(x, y);
  return reduceTo(call, s, &r, "(v.x + v.y) + (v.z + v.w)");
}

clStatus clVectorNorm(clFloat *s, const clVector *x) {
  return reduceOne("clVectorNorm", s, x, "squared(at(x, p))", NULL,
                   "sqrt((v.x + v.y) + (v.z + v.w))");
}

/* Padding is zero: neutral for sums and magnitudes, but not for min and max. */
static bool isPadded(const clVector *x) {
  return x && (x->layout.row % 4 || x->layout.length % x->layout.row);
}

clStatus clVectorMin(clFloat *s, const clVector *x) {
  const char *term = isPadded(x) ? "lanes(p, infinity)" : "at(x, p)";
  return reduceOne("clVectorMin", s, x, term, "smaller(a, b)", "smallestOf(v)");
}

clStatus clVectorMax(clFloat *s, const clVector *x) {
  const char *term = isPadded(x) ? "lanes(p, -infinity)" : "at(x, p)";
  return reduceOne("clVectorMax", s, x, term, "larger(a, b)", "largestOf(v)");
}

clStatus clVectorAbsMax(clFloat *s, const clVector *x) {
  return reduceOne("clVectorAbsMax", s, x, "abs(at(x, p))", "larger(a, b)", "largestOf(v)");
}

/* One pass into three targets; the ones that nobody asked for are dropped. */
clStatus clVectorArgMax(clFloat *value, clFloat *row, clFloat *column, const clVector *x) {
  static const char call[] = "clVectorArgMax";
  clFloat *const output[3] = {value, row, column};
  txTexture *unused[3] = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txVectorsAgree(call, "x", x, NULL, NULL));
  txReduction r = {
      .source = {x}, .term = "candidate(p)", .kernel = "argmax", .combine = "better(a, b)"};
  txPass final = {.kernel = "argmax_final"};
  for (int i = 0; i < 3; i++) {
    if (output[i]) {
      TRY_CLEANUP(txContextSame(x->context, output[i]->context, call));
      final.target[i] = output[i]->texture;
    } else {
      TRY_CLEANUP(txTextureCreate(&unused[i], x->context, call, TX_R32F, 1, 1));
      final.target[i] = unused[i];
    }
  }
  TRY_CLEANUP(txReduce(call, &r, &final));
cleanup:
  for (int i = 0; i < 3; i++)
    txTextureDestroy(unused[i]);
  return status;
}
