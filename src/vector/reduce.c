/* Reductions (K2): levels of strips until few texels are left, then one fragment for the rest. */
#include "vector/reduce.h"
#include "core/numbers.h"
#include "gl/traits.h"
#include "gl/tuning.h"

#include <stdio.h>

/* A fragment joins a strip of texels, which lie apart, so that neighbouring strips interleave;
 * `next` of them where there are few, on the levels after the first. The last fragment joins up to
 * `last`, or fewer where each works out several sums: as many as a level would not make faster;
 * with `together`, so many groups of 16 of them are fetched at once, which hides how long a fetch
 * takes, where one fragment has nothing else to hide it. Which shape is the fastest is measured. */
typedef struct shapeOf {
  int strip, next, last, together;
} shapeOf;
static const shapeOf shapes[] = {
    {8, 8, 256, 0},  {16, 16, 256, 0}, {32, 32, 256, 0},  {64, 64, 256, 0},  {32, 32, 64, 1},
    {64, 64, 64, 1}, {64, 64, 256, 1}, {128, 64, 256, 1}, {128, 32, 256, 1}, {128, 32, 64, 1},
    {64, 16, 64, 1}, {128, 16, 64, 1}, {128, 32, 256, 4}, {128, 64, 256, 4}, {256, 32, 256, 1}};
enum {
  SHAPES = sizeof shapes / sizeof *shapes,
  USUAL = 2,
  /* as few texels are never worth a level */
  SMALLEST = 16,
  LAST_OF_SUMS = 64,
  /* Of a reduction with a first level of its own, whose others take long for a texel. [argmax of
   * 2048^2 on an H200: 75 us instead of 91] */
  NEXT_OF_KERNEL = 16,
  LAST_OF_KERNEL = 64
};

typedef struct level {
  const txTexture *texture[TX_REDUCE_SOURCES];
  int sources;
  /* the sources are vectors: the term applies */
  bool first;
} level;

static int defines(const txReduction *r, const level *l, const char *more, char *text, size_t n) {
  if (r->sums)
    return snprintf(text, n, "%s#define SUMS %d\n%s%s\n%s",
                    r->double_float ? txDoubleFloatDefine(r->source[0]->context) : "", r->sums,
                    l->first ? "#define TERM(p) " : "", l->first ? r->term : "", more ? more : "");
  return snprintf(text, n, "%s%s\n%s%s\n%s", l->first ? "#define TERM(p) " : "",
                  l->first ? r->term : "", r->combine ? "#define COMBINE(a, b) " : "",
                  r->combine ? r->combine : "", more ? more : "");
}

static void setSources(txPass *pass, const txReduction *r, const level *l, bool zero_outside) {
  static const char *const one[TX_REDUCE_SOURCES] = {"x", "y", "z", "w"},
                           *const several[TX_REDUCE_SOURCES] = {"s0", "s1", "s2", "s3",
                                                                "s4", "s5", "s6", "s7"};
  for (int i = 0; i < l->sources; i++)
    pass->source[i] =
        (txSource){(r->sums ? several : one)[i], l->texture[i], zero_outside ? TX_ZERO : TX_EDGE};
  const txTexture *t = l->texture[0];
  txPassUniform(pass, (txUniform){"size", 2, {(float)t->width, (float)t->height}, NULL, false});
  txUniform extent = {"extent", 3, {0}, NULL, false};
  txLayoutExtent(&r->source[0]->layout, extent.value);
  txPassUniform(pass, extent);
}

/* One level: strips along y where it is long enough, else along the longer side. Beyond the edge a
 * sum reads zeros, an idempotent combination the edge once more. *l <- the results, of which the
 * caller owns the textures. */
static clStatus reduceLevel(clContext *context, const char *call, const txReduction *r, int strip,
                            level *l) {
  const txTexture *t = l->texture[0];
  bool vertical = t->height >= strip || t->height >= t->width;
  int length = vertical ? t->height : t->width, count = (length + strip - 1) / strip;
  /* of a texel of each strip, and from one texel of a strip to the next */
  float span = (float)count / (float)length;
  char text[1024], more[64];
  snprintf(more, sizeof more, "#define STRIP %d\n#define AXIS %s\n", strip, vertical ? "y" : "x");
  defines(r, l, more, text, sizeof text);
  txPass pass = {
      .kernel = r->double_float         ? "double_sums"
                : r->sums               ? "sums"
                : l->first && r->kernel ? r->kernel
                                        : "reduce",
      .defines = text,
      .uniform = {{"span", 2, {vertical ? 1 : span, vertical ? span : 1}}, {"stride", 1, {span}}},
      .work = (int64_t)strip * l->sources};
  setSources(&pass, r, l, count * strip != length && !r->combine);
  level next = {.sources = r->sums ? r->sums : 1};
  clStatus status = TEXLA_OK;
  for (int i = 0; i < next.sources && !status; i++) {
    status = txTextureCreate(&pass.target[i], context, call, TX_RGBA32F,
                             vertical ? t->width : count, vertical ? count : t->height);
    next.texture[i] = pass.target[i];
  }
  if (!status)
    status = txPassRun(context, call, &pass);
  for (int i = 0; i < next.sources && status; i++)
    txTextureDestroy(pass.target[i]);
  if (!status)
    *l = next;
  return status;
}

static void destroyLevel(const level *l) {
  for (int i = 0; i < l->sources && !l->first; i++)
    txTextureDestroy((txTexture *)l->texture[i]);
}

static clStatus reduceWith(const char *call, const txReduction *r, txPass *final,
                           const shapeOf *shape) {
  clContext *context = r->source[0]->context;
  level l = {.first = true};
  clStatus status = TEXLA_OK;
  /* every fragment of the last pass works all sums out */
  int last = r->sums     ? LAST_OF_SUMS
             : r->kernel ? txLeast(shape->last, LAST_OF_KERNEL)
                         : shape->last;
  int after = r->kernel ? txLeast(shape->next, NEXT_OF_KERNEL) : shape->next;
  for (; l.sources < TX_REDUCE_SOURCES && r->source[l.sources]; l.sources++)
    l.texture[l.sources] = r->source[l.sources]->texture;
  while (!status && (int64_t)l.texture[0]->width * l.texture[0]->height > last) {
    level before = l;
    status = reduceLevel(context, call, r, l.first ? shape->strip : after, &l);
    if (!status)
      destroyLevel(&before);
  }
  if (!status) {
    char text[1024];
    const char *more = final->defines;
    int n = defines(r, &l, more, text, sizeof text);
    if (shape->together && n > 0 && n < (int)sizeof text)
      snprintf(text + n, sizeof text - (size_t)n, "#define TOGETHER %d\n", shape->together);
    final->defines = text;
    setSources(final, r, &l, false);
    status = txPassRun(context, call, final);
    final->defines = more;
  }
  destroyLevel(&l);
  return status;
}

static txReduction dotOf(const clVector *x, const clVector *y) {
  return (txReduction){.source = {x, y}, .term = "at(x, p) * at(y, p)"};
}

/* Tuned with a dot product: of vectors that are large for a graphics card, where a pass over few
 * takes no time. */
typedef struct tuningCase {
  clContext *context;
  clVector *x, *y;
  clFloat *s;
} tuningCase;

static clStatus runCase(void *user, int value) {
  tuningCase *c = user;
  int64_t length = txContextTraits(c->context)->host_shades ? 1 << 20 : 1 << 22;
  clStatus status = TEXLA_OK;
  if (!c->x)
    status = clVectorCreate(&c->x, c->context, length);
  if (!status && !c->y)
    status = clVectorCreate(&c->y, c->context, length);
  if (!status && !c->s)
    status = clFloatCreate(&c->s, c->context);
  if (status)
    return status;
  txReduction r = dotOf(c->x, c->y);
  txPass final = {
      .kernel = "reduce_final", .defines = "#define RESULT v.x\n", .target = {c->s->texture}};
  return reduceWith("tuning", &r, &final, &shapes[value]);
}

static clStatus chooseShape(clContext *context, const shapeOf **shape) {
  int place[SHAPES], chosen = USUAL;
  for (int i = 0; i < SHAPES; i++)
    place[i] = i;
  tuningCase c = {.context = context};
  clStatus status =
      txTuningChoose(context, "reduce.strips", place, SHAPES, runCase, &c, USUAL, &chosen);
  *shape = &shapes[chosen];
  clVectorDestroy(c.x);
  clVectorDestroy(c.y);
  clFloatDestroy(c.s);
  return status;
}

clStatus txReduce(const char *call, const txReduction *reduction, txPass *final) {
  const shapeOf *shape = &shapes[USUAL];
  const txLayout *layout = &reduction->source[0]->layout;
  clStatus status = TEXLA_OK;
  if ((int64_t)layout->width * layout->height > SMALLEST)
    status = chooseShape(reduction->source[0]->context, &shape);
  return status ? status : reduceWith(call, reduction, final, shape);
}

static clStatus reduceTo(const char *call, clFloat *s, const txReduction *r, const char *result) {
  clContext *context = r->source[0]->context;
  if (!s)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "s must not be NULL");
  clStatus status = txContextSame(context, s->context, call);
  if (status)
    return status;
  char text[160];
  snprintf(text, sizeof text, "#define RESULT %s\n", result);
  txPass final = {.kernel = "reduce_final", .defines = text, .target = {s->texture}};
  return txReduce(call, r, &final);
}

static clStatus reduceOne(const char *call, clFloat *s, const clVector *x, const char *term,
                          const char *combine, const char *result) {
  clStatus status = txVectorsAgree(call, "x", x, NULL, NULL);
  txReduction r = {.source = {x}, .term = term, .combine = combine};
  return status ? status : reduceTo(call, s, &r, result);
}

clStatus clVectorSum(clFloat *s, const clVector *x) {
  return reduceOne("clVectorSum", s, x, "at(x, p)", NULL, "(v.x + v.y) + (v.z + v.w)");
}

clStatus clVectorDot(clFloat *s, const clVector *x, const clVector *y) {
  static const char call[] = "clVectorDot";
  clStatus status = txVectorsAgree(call, "x", x, "y", y);
  if (status)
    return status;
  txReduction r = dotOf(x, y);
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
  return reduceOne("clVectorMin", s, x, isPadded(x) ? "lanes(p, infinity)" : "at(x, p)",
                   "smaller(a, b)", "smaller(smaller(v.x, v.y), smaller(v.z, v.w))");
}

clStatus clVectorMax(clFloat *s, const clVector *x) {
  return reduceOne("clVectorMax", s, x, isPadded(x) ? "lanes(p, -infinity)" : "at(x, p)",
                   "larger(a, b)", "larger(larger(v.x, v.y), larger(v.z, v.w))");
}

clStatus clVectorAbsMax(clFloat *s, const clVector *x) {
  return reduceOne("clVectorAbsMax", s, x, "abs(at(x, p))", "larger(a, b)",
                   "larger(larger(v.x, v.y), larger(v.z, v.w))");
}

/* One pass into three targets; the ones that nobody asked for are dropped. */
clStatus clVectorArgMax(clFloat *value, clFloat *row, clFloat *column, const clVector *x) {
  static const char call[] = "clVectorArgMax";
  clFloat *const output[3] = {value, row, column};
  txTexture *unused[3] = {0};
  clStatus status = txVectorsAgree(call, "x", x, NULL, NULL);
  txReduction r = {
      .source = {x}, .term = "candidate(p)", .kernel = "argmax", .combine = "better(a, b)"};
  txPass final = {.kernel = "argmax_final"};
  for (int i = 0; i < 3 && !status; i++) {
    if (output[i])
      status = txContextSame(x->context, output[i]->context, call);
    else
      status = txTextureCreate(&unused[i], x->context, call, TX_R32F, 1, 1);
    final.target[i] = output[i] ? output[i]->texture : unused[i];
  }
  if (!status)
    status = txReduce(call, &r, &final);
  for (int i = 0; i < 3; i++)
    txTextureDestroy(unused[i]);
  return status;
}
