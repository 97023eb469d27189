/* From texts to kernels, and the operations that are made so: maps, gathers, folds.
 *
 * A kernel's text depends on what the operands are (matrices or numbers, repeated or not) and on
 * the width of the result's texture, but not on other sizes and not on numbers, which are
 * uniforms. So few texts occur in a program, and compiled kernels are kept by their text. */
#include "queue/kernels.h"
#include "core/try.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel's text is no longer than TEXT bytes, a map's operands than OPERANDS; a pass of a sum
 * combines FOLD entries into one. */
enum { MATRICES = TX_GATHER_MATRICES, TEXT = 8192, OPERANDS = 512, FOLD = 16 };

static const char *const names[MATRICES] = {"x", "y", "z", "w"};

/* A text that is being written: where it ends, and how much room is left. */
typedef struct text {
  char *at;
  size_t left;
} text;

/* What does not fit is cut; then the text does not compile, and the shader's error shows it. */
TEXLA_PRINTF(2, 3) static void append(text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(t->at, t->left, format, list);
  va_end(list);
  if (n < 0)
    return;
  size_t used = (size_t)n;
  if (used >= t->left)
    used = t->left - 1;
  t->at += used;
  t->left -= used;
}

static bool alike(txShape a, txShape b) {
  return a.rows == b.rows && a.cols == b.cols;
}

/* What every kernel knows: sizes as XR, XC, ... and R, C of the result, numbers as N0 ... N7, ways
 * to read an entry. */
static void prologue(text *t, const clVector *out, clVector *const *x) {
  int row = (int)(clVectorRowLength(out) / 4);
  append(t,
         "#define ROW %d\nuniform vec4 size_xy, size_zw, number_a, number_b;\nuniform vec2 size;\n"
         "#define R int(size.x)\n#define C int(size.y)\n",
         row);
  for (int k = 0; k < TEXLA_QUEUE_OPERANDS; k++)
    append(t, "#define N%d number_%c.%c\n", k, "ab"[k / 4], "xyzw"[k % 4]);
  append(t,
         "float entry(sampler2D s, int k) { return texelFetch(s, ivec2(k >> 2 & %d, (k >> 2) / "
         "%d), 0)[k & 3]; }\n",
         row - 1, row);
  for (int k = 0; k < MATRICES; k++) {
    char name = names[k][0], upper = (char)(name - 'a' + 'A');
    const char *side = k < 2 ? "size_xy" : "size_zw";
    const char *lane = k % 2 ? "zw" : "xy";
    append(t, "#define %cR int(%s.%c)\n#define %cC int(%s.%c)\n", upper, side, lane[0], upper, side,
           lane[1]);
    if (x[k])
      append(t, "uniform sampler2D t%c;\n#define %c(i, j) entry(t%c, (i) + %cR * (j))\n", name,
             upper, name, upper);
    else
      append(t, "#define %c(i, j) N%d\n", upper, k);
  }
}

/* The four lanes of operand k where operands are alike, numbers or single entries; otherwise entry
 * (i, j). */
static void mapOperand(text *t, const txCall *call, int k, bool lanes) {
  const txOperand *o = &call->operand[k];
  char name = names[k][0], upper = (char)(name - 'a' + 'A');
  const char *row = o->shape.rows == 1 ? "0" : "i";
  const char *col = o->shape.cols == 1 ? "0" : "j";
  if (lanes && o->is_number)
    append(t, "vec4(N%d)", k);
  else if (lanes && !alike(o->shape, call->shape[0]))
    append(t, "vec4(texelFetch(t%c, ivec2(0), 0).x)", name);
  else if (lanes)
    append(t, "texel(t%c)", name);
  else
    append(t, "%c(%s, %s)", upper, row, col);
}

/* No operand is repeated along one side only, so lanes of a texel can be computed together. */
static bool mapsWhole(const txCall *call) {
  for (int k = 0; k < call->operands; k++) {
    const txOperand *o = &call->operand[k];
    if (!o->is_number && !(o->shape.rows == 1 && o->shape.cols == 1) &&
        !alike(o->shape, call->shape[0]))
      return false;
  }
  return true;
}

/* `body` of float at(int i, int j), called for the lanes of a texel. */
static void entryMain(text *t, const char *body) {
  append(t,
         "float at(int i, int j) { %s }\n"
         "vec4 kernel() {\n"
         "  ivec2 p = ivec2(gl_FragCoord.xy);\n"
         "  int k = 4 * (p.y * ROW + p.x), j = k / R, i = k - R * j;\n"
         "  vec4 v;\n"
         "  for (int lane = 0; lane < 4; lane++) {\n"
         "    v[lane] = j < C ? at(i, j) : 0.;\n"
         "    if (++i == R) { i = 0; j++; }\n"
         "  }\n"
         "  return v;\n"
         "}\n",
         body);
}

/* ---- Compiled kernels ------------------------------------------------------------------------ */

/* The worker does so before its context goes. */
void txKernelsClear(txKernels *kernels) {
  for (int k = 0; k < TX_KERNELS; k++) {
    clKernelDestroy(kernels->entry[k].kernel);
    free(kernels->entry[k].source);
  }
  *kernels = (txKernels){0};
}

/* The kernel with that text, which stays with the worker; the one that was not used for longest
 * makes room. */
static clStatus kernelsKernelOf(txCall *call, const char *source, clKernel **out) {
  txKernels *all = call->kernels;
  int oldest = 0;
  for (int k = 0; k < TX_KERNELS; k++) {
    if (all->entry[k].source && !strcmp(all->entry[k].source, source)) {
      all->entry[k].used = ++all->clock;
      *out = all->entry[k].kernel;
      return TEXLA_OK;
    }
    if (all->entry[k].used < all->entry[oldest].used)
      oldest = k;
  }
  char *copy = strdup(source);
  if (!copy)
    return txCallFail(call, TEXLA_OUT_OF_MEMORY, "no memory for a kernel");
  clStatus status = clKernelCreate(out, call->context, call->name, source);
  if (status) {
    free(copy);
    return txCallStatus(call, status);
  }
  clKernelDestroy(all->entry[oldest].kernel);
  free(all->entry[oldest].source);
  all->entry[oldest].kernel = *out;
  all->entry[oldest].source = copy;
  all->entry[oldest].used = ++all->clock;
  return TEXLA_OK;
}

/* out <- kernel(x) */
static clStatus kernelsExecute(txCall *call, const char *source, const txGather *g,
                               const clFloat *scalar) {
  static const char *const sizes[] = {"size_xy", "size_zw"}, *const numbers[] = {"number_a",
                                                                                 "number_b"};
  clKernel *kernel;
  TRY(kernelsKernelOf(call, source, &kernel));
  clKernelRun run = {.output = {g->out}, .scalar = {scalar}};
  int inputs = 0;
  char name[MATRICES][4];
  for (int k = 0; k < MATRICES; k++) {
    if (g->x[k]) {
      snprintf(name[k], sizeof name[k], "t%s", names[k]);
      run.input[inputs++] = (clKernelInput){name[k], g->x[k], true};
    }
  }
  run.parameter[0] = (clKernelParameter){"size", 2, {(float)g->shape.rows, (float)g->shape.cols}};
  clKernelParameter *p = run.parameter + 1;
  for (int half = 0; half < 2; half++) {
    const txShape *s = g->size + 2 * half;
    p[half] = (clKernelParameter){
        sizes[half], 4, {(float)s[0].rows, (float)s[0].cols, (float)s[1].rows, (float)s[1].cols}};
    p[2 + half] = (clKernelParameter){.name = numbers[half], .count = 4};
    for (int k = 0; k < 4; k++)
      p[2 + half].value[k] = (float)g->number[4 * half + k];
  }
  return txCallStatus(call, clKernelExecute(kernel, &run));
}

/* Writes the text behind the prologue and runs it. */
static clStatus runText(txCall *call, const txGather *g,
                        void (*write)(text *t, const txCall *call, const char *body)) {
  char *source = txCallAllocate(call, TEXT, 1, "a kernel");
  if (!source)
    return TEXLA_OUT_OF_MEMORY;
  text t = {source, TEXT};
  prologue(&t, g->out, g->x);
  write(&t, call, g->body);
  clStatus status = kernelsExecute(call, source, g, NULL);
  free(source);
  return status;
}

/* Operands as vectors and the result's vector. Empty operands borrow another's texture: nothing
 * reads it. */
static clStatus kernelsPrepare(txCall *call, txGather *g) {
  *g = (txGather){.body = call->operation->text, .shape = call->shape[0]};
  TRY(txResultVector(call, 0, &g->out));
  clVector *some = NULL;
  for (int k = 0; k < call->operands; k++) {
    g->number[k] = call->operand[k].number;
    if (k >= MATRICES)
      continue;
    g->size[k] = call->operand[k].shape;
    if (!call->operand[k].is_number && !txShapeEmpty(g->size[k]))
      TRY(txOperandVector(call, k, &g->x[k]));
    if (!some)
      some = g->x[k];
  }
  for (int k = 0; k < MATRICES && k < call->operands; k++) {
    if (!g->x[k] && !call->operand[k].is_number)
      g->x[k] = some;
  }
  return TEXLA_OK;
}

/* ---- Maps and gathers ------------------------------------------------------------------------ */

/* The four lanes of a texel at once: v0, v1, v2 are those of the operands. */
static void kernelsWriteLanes(text *t, const txCall *call) {
  append(t, "vec4 kernel() {\n");
  for (int k = 0; k < 3; k++) {
    append(t, "  vec4 v%d = ", k);
    if (k < call->operands)
      mapOperand(t, call, k, true);
    else
      append(t, "vec4(0.)");
    append(t, ";\n");
  }
  append(t, "  return vec4(map(v0.x, v1.x, v2.x), map(v0.y, v1.y, v2.y), "
            "map(v0.z, v1.z, v2.z), map(v0.w, v1.w, v2.w));\n}\n");
}

/* Entry by entry, where operands are repeated along one side. */
static void kernelsWriteEntries(text *t, const txCall *call) {
  char start[OPERANDS];
  text body = {start, sizeof start};
  append(&body, "return map(");
  for (int k = 0; k < 3; k++) {
    if (k > 0)
      append(&body, ", ");
    if (k < call->operands)
      mapOperand(&body, call, k, false);
    else
      append(&body, "0.");
  }
  append(&body, ");");
  entryMain(t, start);
}

/* Does a formula call what shaders/include/real.glsl defines? */
static bool usesReal(const char *formula) {
  static const char *const functions[] = {"divide(",
                                          "modulo(",
                                          "remainder(",
                                          "hypotenuse(",
                                          "sine(",
                                          "cosine(",
                                          "tangent(",
                                          "angle(",
                                          "exponential(",
                                          "exponential1(",
                                          "logarithm(",
                                          "logarithm2(",
                                          "logarithm10(",
                                          "logarithm1(",
                                          "hyperbolicSine(",
                                          "hyperbolicCosine(",
                                          "hyperbolicTangent(",
                                          "areaSine(",
                                          "areaCosine(",
                                          "areaTangent(",
                                          "errorFunction(",
                                          "errorComplement(",
                                          "gammaFunction(",
                                          "logGamma(",
                                          "powerOf(",
                                          "notANumber(",
                                          "chosen(",
                                          "roundAway(",
                                          "isNaN(",
                                          "isInfinite(",
                                          "withSign("};
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
    if (strstr(formula, functions[k]))
      return true;
  return false;
}

/* The operation's formula, what it calls, and what calls it. */
static void writeMap(text *t, const txCall *call, const char *formula) {
  if (usesReal(formula))
    append(t, "#define HIDDEN_ZERO uint(size.x < 0.)\n#include \"include/real.glsl\"\n");
  append(t, "float map(float x, float y, float z) { return %s; }\n", formula);
  if (mapsWhole(call))
    kernelsWriteLanes(t, call);
  else
    kernelsWriteEntries(t, call);
}

/* Numbers are uniforms, so that one kernel serves all of them. */
clStatus txRunMap(txCall *call) {
  txGather g;
  TRY(kernelsPrepare(call, &g));
  return runText(call, &g, writeMap);
}

/* The body of the operation is used as it is. */
static void writeGather(text *t, const txCall *call, const char *body) {
  (void)call;
  entryMain(t, body);
}

clStatus txGatherRun(txCall *call, const txGather *gather) {
  return runText(call, gather, writeGather);
}

clStatus txRunGather(txCall *call) {
  txGather g;
  TRY(kernelsPrepare(call, &g));
  return txGatherRun(call, &g);
}

/* ---- Folds ----------------------------------------------------------------------------------- */

/* Folds of nothing: zero, or one. */
static clStatus fillResult(txCall *call, double value) {
  clVector *out;
  TRY(txResultVector(call, 0, &out));
  return txCallStatus(call, clVectorFill(out, (float)value));
}

/* The text of a pass of a fold: entry (i, j) of the result combines FOLD entries of x along
 * `dim`. */
static void foldBody(char *body, size_t n, const char *formula, int dim) {
  const char *form = "int first = %d * j; float a = X(i, first); "
                     "for (int k = first + 1; k < min(first + %d, XC); k++) {"
                     " float b = X(i, k); a = %s; } return a;";
  if (dim == 1)
    form = "int first = %d * i; float a = X(first, j); "
           "for (int k = first + 1; k < min(first + %d, XR); k++) {"
           " float b = X(k, j); a = %s; } return a;";
  snprintf(body, n, form, FOLD, FOLD, formula);
}

/* The same for positions, counted from 1, of the entry that no other one is better than: in x, from
 * the second pass on among those that y has found so far. */
static void positionBody(char *body, size_t n, const char *better, int dim, bool first) {
  const char *at = "k + 1";
  const char *side = dim == 1 ? "XR" : "XC";
  if (!first) {
    at = dim == 1 ? "int(Y(k, j))" : "int(Y(i, k))";
    side = dim == 1 ? "YR" : "YC";
  }
  const char *form = "int k = %d * j; int best = %s; for (int last = min(k + %d, %s); k < last; "
                     "k++) { int p = %s; float a = X(i, best - 1), b = X(i, p - 1); "
                     "if (%s) best = p; } return float(best);";
  if (dim == 1)
    form = "int k = %d * i; int best = %s; for (int last = min(k + %d, %s); k < last; k++) {"
           " int p = %s; float a = X(best - 1, j), b = X(p - 1, j); if (%s) best = p; }"
           " return float(best);";
  snprintf(body, n, form, FOLD, at, FOLD, side, at, better);
}

/* The shape after one pass; *last <- nothing is left to do after it. */
static txShape shortened(txShape from, int dim, bool *last) {
  txShape to = from;
  int64_t *side = &to.cols;
  if (dim == 1)
    side = &to.rows;
  *side = (*side + FOLD - 1) / FOLD;
  *last = *side == 1;
  return to;
}

/* One pass to `out`: of sums from `old` or, the first time, from x; of positions from both. */
static clStatus foldOnce(txCall *call, bool positions, clVector *out, txShape to, clVector *x,
                         clVector *old, txShape from) {
  int dim = (int)call->operand[1].number;
  const char *formula = strchr(call->operation->text, '|') + 1;
  char body[512];
  txGather g = {.body = body, .out = out, .shape = to};
  if (positions) {
    positionBody(body, sizeof body, formula, dim, !old);
    g.x[0] = x;
    g.size[0] = call->operand[0].shape;
    g.x[1] = old;
    g.size[1] = from;
  } else {
    foldBody(body, sizeof body, formula, dim);
    g.x[0] = old ? old : x;
    g.size[0] = from;
  }
  return txGatherRun(call, &g);
}

/* Passes that shorten `dim` by FOLD until it is 1. */
static clStatus fold(txCall *call, bool positions) {
  int dim = (int)call->operand[1].number;
  txShape from = call->operand[0].shape, to;
  clVector *x = NULL, *old = NULL, *out = NULL, *next = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txResultVector(call, 0, &out));
  TRY_CLEANUP(txOperandVector(call, 0, &x));
  for (bool last = false; !last;) {
    to = shortened(from, dim, &last);
    if (last)
      next = out;
    else
      TRY_CLEANUP(txCallStatus(call, clVectorCreate(&next, call->context, to.rows * to.cols)));
    TRY_CLEANUP(foldOnce(call, positions, next, to, x, old, from));
    clVectorDestroy(old);
    old = next;
    from = to;
  }
cleanup:
  if (old != out)
    clVectorDestroy(old);
  if (next != out && next != old)
    clVectorDestroy(next);
  return status;
}

/* An empty operand gives what the text begins with, for each entry of the result. */
clStatus txRunFold(txCall *call) {
  if (txShapeEmpty(call->operand[0].shape))
    return fillResult(call, atof(call->operation->text));
  return fold(call, false);
}

clStatus txRunPosition(txCall *call) {
  return fold(call, true);
}

/* ---- Scalars of the library ------------------------------------------------------------------ */

/* out <- s, a 1 x 1 matrix */
static clStatus fromScalar(txCall *call, const clFloat *s) {
  txGather g = {.shape = call->shape[0]};
  TRY(txResultVector(call, 0, &g.out));
  return kernelsExecute(call, "vec4 kernel() { return vec4(scalar.x); }\n", &g, s);
}

/* The library's reductions are pairwise sums, and more accurate than a fold. */
static clStatus kernelsReduceAll(txCall *call, bool dot) {
  if (txShapeEmpty(call->operand[0].shape))
    return fillResult(call, 0);
  clVector *x, *y = NULL;
  clFloat *s = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandVector(call, 0, &x));
  if (dot)
    TRY_CLEANUP(txOperandVector(call, 1, &y));
  TRY_CLEANUP(txCallStatus(call, clFloatCreate(&s, call->context)));
  if (dot)
    TRY_CLEANUP(txCallStatus(call, clVectorDot(s, x, y)));
  else
    TRY_CLEANUP(txCallStatus(call, clVectorNorm(s, x)));
  TRY_CLEANUP(fromScalar(call, s));
cleanup:
  clFloatDestroy(s);
  return status;
}

clStatus txRunDot(txCall *call) {
  return kernelsReduceAll(call, true);
}

clStatus txRunNorm(txCall *call) {
  return kernelsReduceAll(call, false);
}
