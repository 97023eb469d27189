/* What the JavaScript module calls (worker.js): texla's functions with plain numbers, pointers and
 * texts. Each returns NULL, or a status, where it fails; texlaMessage says why. */
#include <emscripten.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check.h"
#include "io/json.h"
#include "texla/texla.h"

#define EXPORT EMSCRIPTEN_KEEPALIVE

static clError error;
static clContext *context;

EXPORT const char *texlaMessage(void) {
  return error.message;
}

/* Keeps the context's message. */
static clStatus told(clStatus status) {
  if (status < 0)
    error = *clContextError(context);
  return status;
}

/* Whether the call was right. */
static bool good(clStatus status) {
  return told(status) >= 0;
}

EXPORT int texlaOpen(void) {
  return clContextCreate(&context, NULL, &error);
}

EXPORT const char *texlaRenderer(void) {
  return clContextInspect(context)->renderer;
}

/* The report of `texla check`, which the caller frees; NULL without memory. */
EXPORT char *texlaCheck(void) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (!file)
    return NULL;
  txCheckWrite(file, context, &(txCheckOptions){.vary = true});
  fclose(file);
  return text;
}

/* ---- Vectors --------------------------------------------------------------------------------- */

/* Zeros; `ny` 0: not of a grid. */
EXPORT clVector *texlaVector(int nx, int ny) {
  clVector *x = NULL;
  if (ny)
    return good(clVectorCreateGrid(&x, context, nx, ny)) ? x : NULL;
  return good(clVectorCreate(&x, context, nx)) ? x : NULL;
}

EXPORT void texlaVectorFree(clVector *x) {
  clVectorDestroy(x);
}

EXPORT int texlaUpload(clVector *x, const float *values) {
  return told(clVectorUpload(x, values));
}

EXPORT int texlaDownload(const clVector *x, float *values) {
  return told(clVectorDownload(x, values));
}

EXPORT int texlaFill(clVector *x, float value) {
  return told(clVectorFill(x, value));
}

EXPORT int texlaCopy(clVector *y, const clVector *x) {
  return told(clVectorCopy(y, x));
}

/* y <- y + a x */
EXPORT int texlaAxpy(clVector *y, float a, const clVector *x) {
  return told(clVectorAxpy(y, a, NULL, x));
}

/* z <- a x + b y */
EXPORT int texlaAdd(clVector *z, float a, const clVector *x, float b, const clVector *y) {
  return told(clVectorAdd(z, a, NULL, x, b, NULL, y));
}

/* z <- x y, element by element */
EXPORT int texlaMul(clVector *z, const clVector *x, const clVector *y) {
  return told(clVectorMul(z, x, y));
}

/* A reduction by its number: sum, norm, min, max, dot. */
static clStatus reduce(clFloat *s, int kind, const clVector *x, const clVector *y) {
  clStatus (*const simple[])(clFloat *, const clVector *) = {clVectorSum, clVectorNorm, clVectorMin,
                                                             clVectorMax};
  if (kind < 4)
    return simple[kind](s, x);
  return clVectorDot(s, x, y);
}

EXPORT int texlaReduce(int kind, const clVector *x, const clVector *y, float *value) {
  clFloat *s = NULL;
  clStatus status = clFloatCreate(&s, context);
  if (!status)
    status = reduce(s, kind, x, y);
  if (!status)
    status = clFloatDownload(s, value);
  clFloatDestroy(s);
  return told(status);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

EXPORT clTriplets *texlaTriplets(int rows, int cols, int count, const int *row, const int *col,
                                 const double *value) {
  clTriplets *T = NULL;
  clStatus status = clTripletsCreate(&T, rows, cols, count, &error);
  if (!status)
    status = clTripletsAddMany(T, count, row, col, value, &error);
  if (!status)
    status = clTripletsCompress(T, &error);
  if (!status)
    return T;
  clTripletsDestroy(T);
  return NULL;
}

EXPORT clTriplets *texlaRead(const char *path) {
  clTriplets *T = NULL;
  return clMatrixMarketRead(&T, path, &error) ? NULL : T;
}

EXPORT void texlaTripletsFree(clTriplets *T) {
  clTripletsDestroy(T);
}

EXPORT int texlaRows(const clTriplets *T) {
  return T->rows;
}

EXPORT int texlaCols(const clTriplets *T) {
  return T->cols;
}

EXPORT clMatrix *texlaMatrix(const clTriplets *T) {
  clMatrix *A = NULL;
  return good(clMatrixCreate(&A, context, T, NULL)) ? A : NULL;
}

EXPORT void texlaMatrixFree(clMatrix *A) {
  clMatrixDestroy(A);
}

/* A vector that it multiplies, or makes. */
EXPORT clVector *texlaMatrixVector(const clMatrix *A, bool range) {
  clVector *x = NULL;
  return good(clMatrixCreateVector(&x, A, range ? TEXLA_RANGE : TEXLA_DOMAIN)) ? x : NULL;
}

EXPORT int texlaMultiply(clVector *y, const clMatrix *A, const clVector *x) {
  return told(clMatrixMulVector(y, A, x));
}

/* ---- Systems --------------------------------------------------------------------------------- */

EM_JS(void, texlaProgress, (double iteration, double residual),
      { Module.progress(iteration, residual); });

static bool monitor(void *user, int64_t iteration, double residual) {
  (void)user;
  texlaProgress((double)iteration, residual);
  return true;
}

/* The number of a name; -1 where it is none. */
static int numberOf(const char *name, int count, const char *(*text)(int)) {
  for (int i = 0; i < count; i++)
    if (!strcmp(name, text(i)))
      return i;
  return -1;
}

static const char *methodText(int i) {
  return clMethodName((clMethod)i);
}

static const char *preconditionerText(int i) {
  return clPreconditionerName((clPreconditioner)i);
}

static clStatus parse(clSystemOptions *o, const char *method, const char *preconditioner) {
  int m = numberOf(method, TEXLA_METHOD_CHOLESKY + 1, methodText);
  int p = numberOf(preconditioner, TEXLA_PRECONDITIONER_IC0 + 1, preconditionerText);
  if (m < 0 || p < 0) {
    error.status = TEXLA_BAD_ARGUMENT;
    strcpy(error.message, "solve: there is no such solver or preconditioner");
    return TEXLA_BAD_ARGUMENT;
  }
  o->solver.method = (clMethod)m;
  o->solver.preconditioner = (clPreconditioner)p;
  return TEXLA_OK;
}

/* The keys are those of `texla solve --json`. */
static void writeReport(FILE *file, const clSystemReport *report) {
  txJson json;
  txJsonStart(&json, file);
  txJsonObject(&json, NULL);
  txJsonString(&json, "reason", clReasonText(report->reason));
  txJsonString(&json, "solver", clMethodName(report->method));
  txJsonString(&json, "precond", clPreconditionerName(report->preconditioner));
  txJsonString(&json, "storage", clStorageName(report->storage));
  txJsonString(&json, "storage_description", report->description);
  txJsonString(&json, "chosen_because", report->chosen_because);
  txJsonInteger(&json, "iterations", report->iterations);
  txJsonInteger(&json, "restarts", report->restarts);
  txJsonNumber(&json, "residual", report->residual);
  txJsonNumber(&json, "seconds_setup", report->seconds_setup);
  txJsonNumber(&json, "seconds_solve", report->seconds_solve);
  txJsonInteger(&json, "passes", report->passes);
  txJsonInteger(&json, "readbacks", report->readbacks);
  txJsonArray(&json, "history");
  for (int64_t k = 0; k < report->history_count; k++)
    txJsonNumber(&json, NULL, report->history[k]);
  txJsonClose(&json);
  txJsonClose(&json);
}

/* x <- solution of A x = b from the x that is given; the report as JSON, which the caller frees, or
 * NULL. Zeros mean texla's defaults. */
EXPORT char *texlaSolve(const clTriplets *A, const double *b, double *x, const char *method,
                        const char *preconditioner, double tolerance, double iterations,
                        bool refine, int grid_nx, int grid_ny) {
  clSystemOptions o = {.solver = {.tolerance = tolerance,
                                  .max_iterations = (int64_t)iterations,
                                  .grid_nx = grid_nx,
                                  .grid_ny = grid_ny,
                                  .monitor = monitor},
                       .refine = refine};
  clSystemReport report = {0};
  char *text = NULL;
  size_t size = 0;
  if (parse(&o, method, preconditioner) || !good(clSystemSolve(context, A, b, x, &o, &report)))
    return NULL;
  FILE *file = open_memstream(&text, &size);
  writeReport(file, &report);
  fclose(file);
  clSystemReportClear(&report);
  return text;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

EXPORT clKernel *texlaKernel(const char *name, const char *source) {
  clKernel *kernel = NULL;
  return good(clKernelCreate(&kernel, context, name, source)) ? kernel : NULL;
}

EXPORT void texlaKernelFree(clKernel *kernel) {
  clKernelDestroy(kernel);
}

/* A run is put together: output, inputs and parameters one by one, then executed. */
static clKernelRun next;

EXPORT void texlaRunOutput(int place, clVector *y) {
  next.output[place] = y;
}

EXPORT void texlaRunInput(int place, const char *name, const clVector *x, bool any_layout) {
  next.input[place] = (clKernelInput){name, x, any_layout};
}

EXPORT void texlaRunParameter(int place, const char *name, int count, float a, float b, float c,
                              float d) {
  next.parameter[place] = (clKernelParameter){name, count, {a, b, c, d}};
}

EXPORT int texlaRun(clKernel *kernel) {
  clStatus status = told(clKernelExecute(kernel, &next));
  next = (clKernelRun){{NULL}};
  return status;
}
