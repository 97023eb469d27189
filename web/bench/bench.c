/* Timings of the library in a browser, beside those of TensorFlow.js and GPU.js on the same page
 * (bench.html): each call queues the operation `times` times, each on what the one before it made,
 * and waits for a number of the last result. */
#include <emscripten.h>
#include <stdlib.h>

#include "texla/texla.h"

enum { N = 1024, ROWS = 2048, COUNT = ROWS * ROWS };
enum { PRODUCT, ADD, SUM, STENCIL, KERNEL };

static clError error;
static clContext *context;
/* Results have two places in turn. */
static clDense *A, *C[2];
static clVector *x, *y[2], *u[2];
static clMatrix *P;
static clKernel *kernel;
static clFloat *s[2];

static const char spread[] =
    "uniform sampler2D u;\n"
    "vec4 kernel() {\n"
    "  return .5 * texel(u) + .125 * (neighbours(u, -1, 0) + neighbours(u, 1, 0) + "
    "neighbours(u, 0, -1) + neighbours(u, 0, 1));\n"
    "}\n";

EMSCRIPTEN_KEEPALIVE const char *benchMessage(void) {
  return error.message[0] ? error.message : clContextError(context)->message;
}

/* What spreads: 1 - 1/8 of Poisson's matrix. */
static clStatus createMatrix(void) {
  clTriplets *T = NULL;
  clStatus status = clGeneratePoisson2d(&T, N, N, &error);
  for (int64_t k = 0; !status && k < T->count; k++)
    T->value[k] = T->row[k] == T->col[k] ? .5 : .125;
  if (!status)
    status = clMatrixCreate(&P, context, T, NULL);
  clTripletsDestroy(T);
  return status;
}

static clStatus create(void) {
  clStatus status = clContextCreate(&context, NULL, &error);
  if (!status)
    status = createMatrix();
  if (!status)
    status = clDenseCreate(&A, context, N, N) | clVectorCreate(&x, context, COUNT) |
             clKernelCreate(&kernel, context, "spread", spread);
  for (int i = 0; i < 2 && !status; i++)
    status = clDenseCreate(&C[i], context, N, N) | clVectorCreate(&y[i], context, COUNT) |
             clFloatCreate(&s[i], context) | clMatrixCreateVector(&u[i], P, TEXLA_DOMAIN);
  return status;
}

static clStatus fill(clDense *D, float value) {
  float *values = malloc(N * N * sizeof *values);
  for (int i = 0; values && i < N * N; i++)
    values[i] = value;
  clStatus status = clDenseUpload(D, values, N);
  free(values);
  return status;
}

EMSCRIPTEN_KEEPALIVE int benchOpen(void) {
  clStatus status = create();
  if (status)
    return status;
  return fill(A, 1.f / N) | fill(C[0], 1) | clVectorFill(x, 1) | clVectorFill(y[0], 2) |
         clVectorFill(u[0], 1);
}

static clStatus once(int what, int from) {
  int to = 1 - from;
  switch (what) {
  case PRODUCT:
    return clDenseMultiply(C[to], 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, C[from], 0);
  case ADD:
    return clVectorAdd(y[to], 1, NULL, x, .5f, NULL, y[from]);
  case SUM:
    return clVectorSum(s[to], x);
  case STENCIL:
    return clMatrixMulVector(u[to], P, u[from]);
  default:
    return clKernelExecute(kernel,
                           &(clKernelRun){.output = {u[to]}, .input = {{"u", u[from], false}}});
  }
}

/* A number of the last result is read, so that all has been done. */
static clStatus finish(int what, int place, float *value) {
  clStatus status = TEXLA_OK;
  if (what == PRODUCT)
    status = clDenseNorm(s[place], TEXLA_NORM_MAX, C[place]);
  else if (what == ADD)
    status = clVectorMax(s[place], y[place]);
  else if (what != SUM)
    status = clVectorMax(s[place], u[place]);
  return status ? status : clFloatDownload(s[place], value);
}

/* The next call goes on with what this one made. */
EMSCRIPTEN_KEEPALIVE float benchRun(int what, int times) {
  static int places[KERNEL + 1];
  int *place = &places[what == KERNEL ? STENCIL : what];
  float value = -1;
  for (int i = 0; i < times; i++, *place = 1 - *place)
    if (once(what, *place))
      return -2;
  return finish(what, *place, &value) ? -3 : value;
}
