/* Which systems were solved: backward errors, a second try with row exchanges on the device, a
 * third one on the host, and what is left then. */
#include "tridiagonal/tridiagonal.h"
#include "core/allocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIP = 32, AT_ONCE = 4 };

static int systemsOf(const clTridiagonal *T) {
  return T->options.folded ? 1 : txTridiagonalSystems(T);
}

/* Beyond it the pivots were too small: a solution with row exchanges has a few times 1e-7. */
static const double tolerance = 1e-5;

/* What shaders/tridiagonal/tridiagonal_worst.frag says. */
static const float not_finite = 4;

static clStatus checkStrips(const clTridiagonal *T, const char *call, txTexture **parts,
                            const clVector *x, const clTridiagonalBands *A, const clVector *rhs) {
  char defines[512] = "";
  const txLayout *layout = &T->layout;
  bool along_x = T->options.axis == TEXLA_AXIS_X;
  int texels = along_x ? layout->width : layout->height, strips = (texels + STRIP - 1) / STRIP;
  clStatus status =
      along_x ? txTextureCreate(parts, T->context, call, TX_RGBA32F, strips, layout->height)
              : txLayersCreate(parts, T->context, call, TX_RGBA32F, layout->width, strips, 3);
  if (status)
    return status;
  txPass pass = {.kernel = "tridiagonal_check",
                 .target = {*parts},
                 .source = {{"x", x->texture, TX_ZERO}},
                 .uniform = {{"rows", 1, {(float)txTridiagonalLength(T)}},
                             {"lines", 1, {(float)layout->height}}},
                 .work = 7 * STRIP};
  snprintf(defines, sizeof defines, "#define STRIP %d\n%s%s%s", STRIP,
           along_x ? "#define ALONG_X\n" : "", T->options.periodic ? "#define PERIODIC\n" : "",
           T->options.folded ? "#define FOLDED\n" : "");
  txTridiagonalAddBands(&pass, defines, sizeof defines, A, rhs);
  pass.defines = defines;
  return txPassRun(T->context, call, &pass);
}

/* A folded system's error, from what its rows in the grid have. */
static void combine(float *error, const float *rows, int count) {
  float largest[3] = {0, 0, 0};
  for (int i = 0; i < 3 * count; i++)
    largest[i % 3] = rows[i] > largest[i % 3] ? rows[i] : largest[i % 3];
  float sum = largest[1] + largest[2], e = largest[0] > 0 ? largest[0] / sum : 0;
  *error = largest[2] == 2e38f ? not_finite : e <= 1 ? e : 2;
}

/* The three numbers of each row of the grid, then those of the whole. */
static clStatus readFolded(const clTridiagonal *T, const char *call, float *error,
                           const txTexture *worst) {
  int count = worst->height;
  float *rows = txAllocate(txContextError(T->context), call, 4 * (size_t)count, sizeof *rows,
                           "the errors of rows");
  if (!rows)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = txTextureRead(worst, call, (txRect){0, 0, 1, count}, rows);
  for (int i = 0; i < count; i++)
    memmove(rows + 3 * i, rows + 4 * i, 3 * sizeof *rows);
  if (!status)
    combine(error, rows, count);
  free(rows);
  return status;
}

/* error[j] <- system j's; room for four more than there are. Blocks. */
static clStatus readErrors(const clTridiagonal *T, const char *call, float *error,
                           const clVector *x, const clTridiagonalBands *A, const clVector *rhs) {
  bool along_x = T->options.axis == TEXLA_AXIS_X, folded = T->options.folded;
  txTexture *parts = NULL, *worst = NULL;
  clStatus status = checkStrips(T, call, &parts, x, A, rhs);
  int width = along_x ? 1 : T->layout.width, height = along_x ? T->layout.height : 1;
  if (!status)
    status = txTextureCreate(&worst, T->context, call, along_x && !folded ? TX_R32F : TX_RGBA32F,
                             width, height);
  if (!status) {
    int strips = along_x ? parts->width : parts->height;
    txPass pass = {.kernel = "tridiagonal_worst",
                   .defines = folded    ? "#define ALONG_X\n#define FOLDED\n"
                              : along_x ? "#define ALONG_X\n"
                                        : NULL,
                   .target = {worst},
                   .source = {{"parts", parts, TX_EDGE}},
                   .uniform = {{"strips", 1, {(float)strips}}},
                   .work = 3 * strips};
    status = txPassRun(T->context, call, &pass);
  }
  if (!status)
    status = folded ? readFolded(T, call, error, worst)
                    : txTextureRead(worst, call, (txRect){0, 0, width, height}, error);
  txTextureDestroy(parts);
  txTextureDestroy(worst);
  return status;
}

/* list <- the systems whose error is too large, and how many; `finite`: but those whose
 * coefficients are not finite */
static int listFailed(const float *error, int systems, float *list, bool finite) {
  int count = 0;
  for (int j = 0; j < systems; j++)
    if (!((double)error[j] <= tolerance) && !(finite && error[j] == not_finite))
      list[count++] = (float)j;
  return count;
}

static void fillReport(clTridiagonalReport *report, clTridiagonalState *states, const float *error,
                       int systems) {
  for (int j = 0; j < systems; j++) {
    clTridiagonalState state = (double)error[j] <= tolerance ? TEXLA_TRIDIAGONAL_SOLVED
                               : error[j] == not_finite      ? TEXLA_TRIDIAGONAL_NOT_FINITE
                                                             : TEXLA_TRIDIAGONAL_SINGULAR;
    if (states)
      states[j] = state;
    if (state == TEXLA_TRIDIAGONAL_SOLVED) {
      report->backward_error =
          (double)error[j] > report->backward_error ? (double)error[j] : report->backward_error;
      continue;
    }
    if (!report->failed++)
      report->first = j;
  }
}

static clStatus say(const clTridiagonal *T, const char *call, const clTridiagonalReport *report,
                    const float *error) {
  if (!report->failed)
    return TEXLA_OK;
  bool finite = error[report->first] != not_finite;
  return txFail(txContextError(T->context), finite ? TEXLA_SINGULAR : TEXLA_NOT_FINITE, call,
                "system %d %s; %d of %d systems could not be solved and have zeros for solutions, "
                "the others are solved",
                report->first,
                finite ? "is singular to working precision"
                       : "has a coefficient that is not finite",
                report->failed, systemsOf(T));
}

/* Zeros for the solutions of the systems list[0 .. count - 1] */
static clStatus blank(const clTridiagonal *T, const char *call, clVector *x, const float *list,
                      int count) {
  txTexture *map = NULL;
  clStatus status = txTridiagonalMap(T, call, &map, list, count, 0);
  txPass pass = {.kernel = "tridiagonal_blank",
                 .defines = T->options.axis == TEXLA_AXIS_X ? "#define ALONG_X\n" : NULL,
                 .source = {{"columns", map, TX_EDGE}, {"old", x->texture, TX_EDGE}},
                 .work = 5};
  if (!status)
    status = txVectorRun(call, &pass, x);
  txTextureDestroy(map);
  return status;
}

/* Solves what failed with row exchanges: on the device where it can hold such systems, then on the
 * host. */
static clStatus solveAgain(const clTridiagonal *T, const char *call, clVector *x,
                           const clTridiagonalBands *A, const clVector *rhs, float *error,
                           float *list) {
  int systems = systemsOf(T), failed = listFailed(error, systems, list, true);
  bool too_long =
      T->options.folded || txTridiagonalLength(T) > clContextInspect(T->context)->max_texture_size;
  clStatus status = TEXLA_OK;
  if (failed && !too_long && T->options.method != TEXLA_TRIDIAGONAL_ROWS) {
    status = txTridiagonalRows(T, call, x, A, rhs, list, failed, AT_ONCE);
    if (!status)
      status = readErrors(T, call, error, x, A, rhs);
    failed = status ? 0 : listFailed(error, systems, list, true);
  }
  if (!failed)
    return status;
  status = txTridiagonalPivotsListed(T, call, x, A, rhs, list, failed);
  return status ? status : readErrors(T, call, error, x, A, rhs);
}

/* Solves by T's method and checks; x: the result so far. */
static clStatus solveAndCheck(const clTridiagonal *T, const char *call, clVector *x,
                              const clTridiagonalBands *A, const clVector *rhs, float *error,
                              float *list, clTridiagonalReport *report) {
  clStatus status = txTridiagonalSolve(T, call, x, A, rhs);
  if (!status)
    status = readErrors(T, call, error, x, A, rhs);
  report->exchanged = status ? 0 : listFailed(error, systemsOf(T), list, false);
  return report->exchanged ? solveAgain(T, call, x, A, rhs, error, list) : status;
}

clStatus txTridiagonalChecked(const clTridiagonal *T, const char *call, clVector *x,
                              const clTridiagonalBands *A, const clVector *rhs,
                              clTridiagonalReport *report, clTridiagonalState *states) {
  size_t systems = (size_t)systemsOf(T);
  clError *message = txContextError(T->context);
  float *error = txAllocate(message, call, systems + 4, sizeof *error, "the errors of systems");
  float *list =
      error ? txAllocate(message, call, systems, sizeof *list, "a list of systems") : NULL;
  clTridiagonalReport r = {.first = -1};
  clVector *result = NULL;
  clStatus status = list ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  if (!status)
    status = txVectorCreate(&result, T->context, call, &T->layout);
  if (!status)
    status = solveAndCheck(T, call, result, A, rhs, error, list, &r);
  if (!status) {
    fillReport(&r, states, error, (int)systems);
    if (r.failed && T->options.folded)
      status = clVectorClear(result);
    else if (r.failed)
      status = blank(T, call, result, list, listFailed(error, (int)systems, list, false));
  }
  if (!status) {
    txTextureExchange(&x->texture, &result->texture);
    if (report)
      *report = r;
    status = say(T, call, &r, error);
  }
  clVectorDestroy(result);
  free(error);
  free(list);
  return status;
}
