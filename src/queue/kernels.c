/* Operations that are one line of GLSL: the line becomes a clKernel over vectors that hold matrices column after column. */
#include "queue/operations.h"
#include "texla/kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATRICES = 4, TEXT = 8192, FOLD = 16 }; /* FOLD: entries that a pass of a sum combines into one */

static const char *const names[MATRICES] = {"x", "y", "z", "w"};

typedef struct text {
  char *at;
  size_t left;
} text;

TEXLA_PRINTF(2, 3) static void append(text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(t->at, t->left, format, list);
  va_end(list);
  size_t used = n < 0 ? 0 : (size_t)n < t->left ? (size_t)n : t->left - 1;
  t->at += used;
  t->left -= used;
}

static bool alike(txShape a, txShape b) {
  return a.rows == b.rows && a.cols == b.cols;
}

/* What every kernel knows: sizes as XR, XC, ... and R, C of the result, numbers as N0 ... N7, ways to read an entry. */
static void prologue(text *t, const txCall *call, int64_t row) {
  append(t, "uniform vec4 size_xy, size_zw, number_a, number_b;\nuniform vec2 size;\n"
            "#define R int(size.x)\n#define C int(size.y)\n");
  for (int k = 0; k < TEXLA_QUEUE_OPERANDS; k++)
    append(t, "#define N%d number_%c.%c\n", k, "ab"[k / 4], "xyzw"[k % 4]);
  append(t, "float entry(sampler2D s, int k) { return texelFetch(s, ivec2(k >> 2 & %d, (k >> 2) / %d), 0)[k & 3]; }\n",
         (int)(row / 4 - 1), (int)(row / 4));
  for (int k = 0; k < MATRICES && k < call->operands; k++) {
    char name = names[k][0], upper = (char)(name - 'a' + 'A');
    const char *size = k < 2 ? "size_xy" : "size_zw", *lane = k % 2 ? "zw" : "xy";
    append(t, "#define %cR int(%s.%c)\n#define %cC int(%s.%c)\n", upper, size, lane[0], upper, size, lane[1]);
    if (call->operand[k].is_number)
      append(t, "#define %c(i, j) N%d\n", upper, k);
    else
      append(t, "uniform sampler2D t%c;\n#define %c(i, j) entry(t%c, (i) + %cR * (j))\n", name, upper, name, upper);
  }
}

/* The four lanes of operand k where operands are alike, numbers or single entries; otherwise entry (i, j). */
static void mapOperand(text *t, const txCall *call, int k, bool lanes) {
  const txOperand *o = &call->operand[k];
  char name = names[k][0], upper = (char)(name - 'a' + 'A');
  bool one_row = o->shape.rows == 1, one_col = o->shape.cols == 1;
  if (lanes && o->is_number)
    append(t, "vec4(N%d)", k);
  else if (lanes && !alike(o->shape, call->shape[0]))
    append(t, "vec4(texelFetch(t%c, ivec2(0), 0).x)", name);
  else if (lanes)
    append(t, "texel(t%c)", name);
  else
    append(t, "%c(%s, %s)", upper, one_row ? "0" : "i", one_col ? "0" : "j");
}

static bool mapsWhole(const txCall *call) {
  for (int k = 0; k < call->operands; k++) {
    const txOperand *o = &call->operand[k];
    if (!o->is_number && !(o->shape.rows == 1 && o->shape.cols == 1) && !alike(o->shape, call->shape[0]))
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

/* Runs the text as a kernel: out <- kernel(operands). any_layout: all is read by entry(). */
static clStatus execute(txCall *call, const char *source, clVector *out, clVector *const *x, const clFloat *scalar,
                        txShape shape, const txShape *sizes) {
  clKernel *kernel = NULL;
  clStatus status = clKernelCreate(&kernel, call->context, call->name, source);
  if (status)
    return txCallStatus(call, status);
  clKernelRun run = {.output = {out}, .scalar = {scalar}};
  int inputs = 0;
  char name[MATRICES][4];
  for (int k = 0; k < MATRICES; k++)
    if (x[k]) {
      snprintf(name[k], sizeof name[k], "t%s", names[k]);
      run.input[inputs++] = (clKernelInput){name[k], x[k], true};
    }
  run.parameter[0] = (clKernelParameter){"size", 2, {(float)shape.rows, (float)shape.cols}};
  clKernelParameter *p = run.parameter + 1;
  for (int half = 0; half < 2; half++) {
    const txShape *s = sizes + 2 * half;
    p[half] = (clKernelParameter){
        half ? "size_zw" : "size_xy", 4, {(float)s[0].rows, (float)s[0].cols, (float)s[1].rows, (float)s[1].cols}};
    p[2 + half] = (clKernelParameter){.name = half ? "number_b" : "number_a", .count = 4};
    for (int k = 0; k < 4; k++)
      p[2 + half].value[k] = (float)call->operand[4 * half + k].number;
  }
  status = clKernelExecute(kernel, &run);
  clKernelDestroy(kernel);
  return txCallStatus(call, status);
}

/* Operands as vectors, the result's vector, and the text: then the kernel. Empty operands borrow another's texture: nothing reads it. */
static clStatus runText(txCall *call, void (*write)(text *t, const txCall *call)) {
  clVector *x[MATRICES] = {0}, *out = NULL;
  txShape sizes[MATRICES] = {{0, 0}};
  clStatus status = txResultVector(call, 0, &out);
  for (int k = 0; k < MATRICES && k < call->operands && !status; k++) {
    sizes[k] = call->operand[k].shape;
    if (!call->operand[k].is_number && !txShapeEmpty(sizes[k]))
      status = txOperandVector(call, k, &x[k]);
  }
  clVector *some = x[0] ? x[0] : x[1] ? x[1] : x[2] ? x[2] : x[3];
  for (int k = 0; k < MATRICES && k < call->operands; k++)
    if (!x[k] && !call->operand[k].is_number)
      x[k] = some;
  char *source = malloc(TEXT);
  if (!status && !source)
    status = txCallFail(call, TEXLA_OUT_OF_MEMORY, "no memory for a kernel");
  if (!status) {
    text t = {source, TEXT};
    append(&t, "#define ROW %d\n", (int)(clVectorRowLength(out) / 4));
    prologue(&t, call, clVectorRowLength(out));
    write(&t, call);
    status = execute(call, source, out, x, NULL, call->shape[0], sizes);
  }
  free(source);
  return status;
}

static void writeMap(text *t, const txCall *call) {
  bool lanes = mapsWhole(call);
  append(t, "float whole(float x, int n) {\n"
            "  float p = 1., s = n < 0 ? 1. / x : x;\n"
            "  for (int m = abs(n); m > 0; m >>= 1) { if ((m & 1) == 1) p *= s; s *= s; }\n"
            "  return p;\n}\n");
  append(t, "float map(float x, float y, float z) { return %s; }\n", call->operation->text);
  text body = {malloc(TEXT), TEXT};
  char *start = body.at;
  if (!start)
    return;
  for (int k = 0; k < 3 && lanes; k++) {
    append(&body, "vec4 v%d = ", k);
    if (k < call->operands)
      mapOperand(&body, call, k, true);
    else
      append(&body, "vec4(0.)");
    append(&body, "; ");
  }
  if (lanes) {
    append(t, "vec4 kernel() { %s\n  return vec4(", start);
    for (int lane = 0; lane < 4; lane++) {
      char c = "xyzw"[lane];
      append(t, "%smap(v0.%c, v1.%c, v2.%c)", lane ? ", " : "", c, c, c);
    }
    append(t, "); }\n");
  } else {
    append(&body, "return map(");
    for (int k = 0; k < 3; k++) {
      append(&body, k ? ", " : "");
      if (k < call->operands)
        mapOperand(&body, call, k, false);
      else
        append(&body, "0.");
    }
    append(&body, ");");
    entryMain(t, start);
  }
  free(start);
}

clStatus txRunMap(txCall *call) {
  return runText(call, writeMap);
}

static void writeGather(text *t, const txCall *call) {
  entryMain(t, call->operation->text);
}

clStatus txRunGather(txCall *call) {
  return runText(call, writeGather);
}

/* A pass of a fold: entry (i, j) of the result combines FOLD entries of x along `dim`. */
static clStatus foldPass(txCall *call, int dim, clVector *out, txShape to, clVector *x, txShape from) {
  char *source = malloc(TEXT);
  if (!source)
    return txCallFail(call, TEXLA_OUT_OF_MEMORY, "no memory for a kernel");
  text t = {source, TEXT};
  append(&t, "#define ROW %d\n", (int)(clVectorRowLength(out) / 4));
  prologue(&t, call, clVectorRowLength(out));
  char body[512];
  snprintf(body, sizeof body,
           "int first = %d * %s; float a = X(%s); for (int k = first + 1; k < min(first + %d, %s); k++) {"
           " float b = X(%s); a = %s; } return a;",
           FOLD, dim == 1 ? "i" : "j", dim == 1 ? "first, j" : "i, first", FOLD, dim == 1 ? "XR" : "XC",
           dim == 1 ? "k, j" : "i, k", strchr(call->operation->text, '|') + 1);
  entryMain(&t, body);
  clVector *inputs[MATRICES] = {x};
  txShape sizes[MATRICES] = {from};
  clStatus status = execute(call, source, out, inputs, NULL, to, sizes);
  free(source);
  return status;
}

static clStatus fillResult(txCall *call, double value) {
  clVector *out;
  clStatus status = txResultVector(call, 0, &out);
  return status ? status : txCallStatus(call, clVectorFill(out, (float)value));
}

clStatus txRunFold(txCall *call) {
  int dim = (int)call->operand[1].number;
  txShape from = call->operand[0].shape;
  if (txShapeEmpty(from))
    return fillResult(call, atof(call->operation->text));
  clVector *x = NULL, *step = NULL, *old = NULL, *out;
  clStatus status = txResultVector(call, 0, &out);
  if (!status)
    status = txOperandVector(call, 0, &x);
  bool last = false;
  while (!status && !last) {
    txShape to = from;
    int64_t *side = dim == 1 ? &to.rows : &to.cols;
    *side = (*side + FOLD - 1) / FOLD;
    last = *side == 1;
    if (!last)
      status = txCallStatus(call, clVectorCreate(&step, call->context, to.rows * to.cols));
    if (!status)
      status = foldPass(call, dim, last ? out : step, to, x, from);
    clVectorDestroy(old);
    old = step;
    x = step;
    step = NULL;
    from = to;
  }
  clVectorDestroy(old);
  return status;
}

/* out <- s, a 1 x 1 matrix */
static clStatus fromScalar(txCall *call, const clFloat *s) {
  clVector *out, *none[MATRICES] = {0};
  txShape sizes[MATRICES] = {{0, 0}};
  clStatus status = txResultVector(call, 0, &out);
  return status ? status
                : execute(call, "vec4 kernel() { return vec4(scalar.x); }\n", out, none, s, call->shape[0], sizes);
}

static clStatus reduceAll(txCall *call, bool dot) {
  if (txShapeEmpty(call->operand[0].shape))
    return fillResult(call, 0);
  clVector *x, *y = NULL;
  clFloat *s = NULL;
  clStatus status = txOperandVector(call, 0, &x);
  if (!status && dot)
    status = txOperandVector(call, 1, &y);
  if (!status)
    status = txCallStatus(call, clFloatCreate(&s, call->context));
  if (!status)
    status = txCallStatus(call, dot ? clVectorDot(s, x, y) : clVectorNorm(s, x));
  if (!status)
    status = fromScalar(call, s);
  clFloatDestroy(s);
  return status;
}

clStatus txRunDot(txCall *call) {
  return reduceAll(call, true);
}

clStatus txRunNorm(txCall *call) {
  return reduceAll(call, false);
}
