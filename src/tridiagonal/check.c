/* Error check of each system; the host solves the others again, with row exchanges in double;
 * reports the remaining failures. */
#include "tridiagonal/tridiagonal.h"
#include "core/allocate.h"
#include "core/try.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIP = 32 };

/* Rows of the grid that continue each other are one system. */
static int systemsOf(const clTridiagonal *T) {
  if (T->options.folded)
    return 1;
  return txTridiagonalSystems(T);
}

/* Beyond it the pivots were too small: a solution with row exchanges has a few times 1e-7. */
static const double tolerance = 1e-5;

/* What shaders/tridiagonal/tridiagonal_worst.frag says; and what is said here of singular
 * systems. */
static const float not_finite = 4, singular = 2, consistent = 3;

/* A system whose solution for a random right-hand side is so much larger may be singular. */
static const float LARGE = 1e4F;

static int stripsOf(int texels) {
  return (texels + STRIP - 1) / STRIP;
}

/* parts <- what shaders/tridiagonal/tridiagonal_check.frag finds in each strip of 32 texels of a
 * system: sizes of residuals, of right-hand sides, of unknowns, and of off-diagonals. */
static clStatus checkStrips(const clTridiagonal *T, const char *call, txTexture **parts,
                            const clVector *x, const clTridiagonalBands *A, const clVector *rhs) {
  txDefines defines = {""};
  const txLayout *layout = &T->layout;
  bool along_x = txTridiagonalAlongX(T);
  if (along_x)
    TRY(txTextureCreate(parts, T->context, call, TX_RGBA32F, stripsOf(layout->width),
                        layout->height));
  else
    TRY(txLayersCreate(parts, T->context, call, TX_RGBA32F, layout->width, stripsOf(layout->height),
                       4));
  txPass pass = {.kernel = "tridiagonal_check",
                 .target = {*parts},
                 .source = {{"x", x->texture, TX_ZERO}},
                 .uniform = {{"rows", 1, {(float)txTridiagonalLength(T)}},
                             {"lines", 1, {(float)layout->height}}},
                 .work = 7 * STRIP};
  txDefine(&defines, "STRIP", STRIP);
  txDefineIf(&defines, along_x, "ALONG_X");
  txDefineIf(&defines, T->options.periodic, "PERIODIC");
  txDefineIf(&defines, T->options.folded, "FOLDED");
  txTridiagonalAddBands(&pass, &defines, A, rhs);
  pass.defines = defines.text;
  return txPassRun(T->context, call, &pass);
}

/* A folded system's error, from what its rows in the grid have. */
static void combine(float *error, const float *rows, int count, bool want_size) {
  float largest[4] = {0};
  for (int i = 0; i < 4 * count; i++)
    largest[i % 4] = fmaxf(largest[i % 4], rows[i]);
  float e = 0;
  if (largest[0] > 0)
    e = largest[0] / (largest[1] + largest[2]);
  if (want_size) {
    *error = 1e30F;
    if (e <= 1e-5F)
      *error = largest[1];
    return;
  }
  if (!(e <= 1))
    e = singular;
  if (largest[2] == 2e38F)
    e = not_finite;
  *error = e;
  if (largest[3] > 0.999F)
    *error = -fmaxf(e, 1e-30F);
}

/* The four numbers of each row of the grid, then those of the whole. */
static clStatus readFolded(const clTridiagonal *T, const char *call, float *error,
                           const txTexture *worst, bool want_size) {
  int count = worst->height;
  float *rows = txAllocate(txContextError(T->context), call, 4 * (size_t)count, sizeof *rows,
                           "the errors of rows");
  if (!rows)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureRead(worst, call, (txRect){0, 0, 1, count}, rows));
  combine(error, rows, count, want_size);
cleanup:
  free(rows);
  return status;
}

/* value[j] <- the error of system j, negative where its rows are not clearly dominant; or, with
 * `want_size`, max |x_i|, 1e30 where x is no solution. Room for four more than there are.
 * Blocks. */
static clStatus readWorst(const clTridiagonal *T, const char *call, float *value, const clVector *x,
                          const clTridiagonalBands *A, const clVector *rhs, bool want_size) {
  bool along_x = txTridiagonalAlongX(T), folded = T->options.folded;
  txTexture *parts = NULL, *worst = NULL;
  clStatus status = TEXLA_OK;
  txDefines defines = {""};
  /* A texel for each system along x, four systems in a texel across. */
  int width = T->layout.width, height = 1, strips = stripsOf(T->layout.height);
  txFormat format = TX_RGBA32F;
  if (along_x) {
    width = 1;
    height = T->layout.height;
    strips = stripsOf(T->layout.width);
  }
  if (along_x && !folded)
    format = TX_R32F;
  TRY_CLEANUP(checkStrips(T, call, &parts, x, A, rhs));
  txDefineIf(&defines, along_x, "ALONG_X");
  txDefineIf(&defines, folded, "FOLDED");
  txDefineIf(&defines, want_size, "LARGEST");
  txPass pass = {.kernel = "tridiagonal_worst",
                 .defines = defines.text,
                 .source = {{"parts", parts, TX_EDGE}},
                 .uniform = {{"strips", 1, {(float)strips}}},
                 .work = 4 * strips};
  TRY_CLEANUP(txPassInto(&worst, T->context, call, &pass, format, width, height));
  if (folded)
    TRY_CLEANUP(readFolded(T, call, value, worst, want_size));
  else
    TRY_CLEANUP(txTextureRead(worst, call, (txRect){0, 0, width, height}, value));
cleanup:
  txTextureDestroy(parts);
  txTextureDestroy(worst);
  return status;
}

/* error[j] <- that of system j; weak[j] (NULL: not wanted) <- may it be singular? */
static clStatus readErrors(const clTridiagonal *T, const char *call, float *error, bool *weak,
                           const clVector *x, const clTridiagonalBands *A, const clVector *rhs) {
  TRY(readWorst(T, call, error, x, A, rhs, false));
  for (int j = 0; j < systemsOf(T); j++) {
    if (weak)
      weak[j] = error[j] < 0;
    error[j] = fabsf(error[j]);
  }
  return TEXLA_OK;
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

/* What the error of a system means; see the constants above. */
static clTridiagonalState stateOf(float error) {
  if ((double)error <= tolerance)
    return TEXLA_TRIDIAGONAL_SOLVED;
  if (error == not_finite)
    return TEXLA_TRIDIAGONAL_NOT_FINITE;
  if (error == consistent)
    return TEXLA_TRIDIAGONAL_CONSISTENT;
  return TEXLA_TRIDIAGONAL_SINGULAR;
}

/* The largest backward error of what is solved, and how many are not; states may be NULL. */
static void fillReport(clTridiagonalReport *report, clTridiagonalState *states, const float *error,
                       int systems) {
  for (int j = 0; j < systems; j++) {
    clTridiagonalState state = stateOf(error[j]);
    if (states)
      states[j] = state;
    if (state == TEXLA_TRIDIAGONAL_SOLVED)
      report->backward_error = fmax(report->backward_error, (double)error[j]);
    else if (!report->failed++)
      report->first = j;
  }
}

const char *txTridiagonalStateText(clTridiagonalState state) {
  if (state == TEXLA_TRIDIAGONAL_NOT_FINITE)
    return "has a coefficient that is not finite";
  if (state == TEXLA_TRIDIAGONAL_CONSISTENT)
    return "is singular to working precision, with many solutions";
  return "is singular to working precision";
}

/* The status and the message of a batch: that of its first system without a solution. */
static clStatus say(const clTridiagonal *T, const char *call, const clTridiagonalReport *report,
                    const float *error) {
  if (!report->failed)
    return TEXLA_OK;
  clTridiagonalState first = stateOf(error[report->first]);
  clStatus status = TEXLA_SINGULAR;
  if (first == TEXLA_TRIDIAGONAL_NOT_FINITE)
    status = TEXLA_NOT_FINITE;
  return txFail(txContextError(T->context), status, call,
                "system %d %s; %d of %d systems could not be solved and have zeros for solutions, "
                "the others are solved",
                report->first, txTridiagonalStateText(first), report->failed, systemsOf(T));
}

/* Zeros for the solutions of the systems list[0 .. count - 1] */
static clStatus blank(const clTridiagonal *T, const char *call, clVector *x, const float *list,
                      int count) {
  txTexture *map = NULL;
  txDefines defines = {""};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTridiagonalMap(T, call, &map, list, count, 0));
  txDefineIf(&defines, txTridiagonalAlongX(T), "ALONG_X");
  txPass pass = {.kernel = "tridiagonal_blank",
                 .defines = defines.text,
                 .source = {{"columns", map, TX_EDGE}, {"old", x->texture, TX_EDGE}},
                 .work = 5};
  TRY_CLEANUP(txVectorRun(call, &pass, x));
cleanup:
  txTextureDestroy(map);
  return status;
}

/* In double on the host; errors tell which of the systems list[0 .. count - 1] are singular there.
 * `trust`: x has solutions already, and only singular ones are looked for. */
static clStatus eliminate(const clTridiagonal *T, const char *call, clVector *x,
                          const clTridiagonalBands *A, const clVector *rhs, float *error,
                          const float *list, int count, bool trust) {
  clTridiagonalState *states = txAllocate(txContextError(T->context), call, (size_t)count,
                                          sizeof *states, "the states of systems");
  if (!states)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTridiagonalPivotsListed(T, call, x, A, rhs, list, count, states));
  if (!trust)
    TRY_CLEANUP(readErrors(T, call, error, NULL, x, A, rhs));
  for (int k = 0; k < count; k++) {
    if (states[k] == TEXLA_TRIDIAGONAL_SINGULAR)
      error[(int)list[k]] = singular;
    if (states[k] == TEXLA_TRIDIAGONAL_CONSISTENT)
      error[(int)list[k]] = consistent;
  }
cleanup:
  free(states);
  return status;
}

/* Solves the failed systems again, with row exchanges in double on the host. */
static clStatus solveAgain(const clTridiagonal *T, const char *call, clVector *x,
                           const clTridiagonalBands *A, const clVector *rhs, float *error,
                           float *list) {
  int failed = listFailed(error, systemsOf(T), list, true);
  if (!failed)
    return TEXLA_OK;
  return eliminate(T, call, x, A, rhs, error, list, failed, false);
}

/* size[j] <- max |z_i|, A z a random vector of rows of size 1. */
static clStatus probe(const clTridiagonal *T, const char *call, float *size,
                      const clTridiagonalBands *A, const clVector *rhs) {
  clVector *right = NULL, *z = NULL;
  clStatus status = TEXLA_OK;
  txDefines defines = {""};
  txPass pass = {
      .kernel = "tridiagonal_probe", .uniform = {{"across", 1, {(float)T->layout.row}}}, .work = 4};
  txTridiagonalAddBands(&pass, &defines, A, rhs);
  pass.defines = defines.text;
  TRY_CLEANUP(txVectorCreate(&right, T->context, call, &T->layout));
  TRY_CLEANUP(txVectorCreate(&z, T->context, call, &T->layout));
  TRY_CLEANUP(txVectorRun(call, &pass, right));
  TRY_CLEANUP(txTridiagonalBlocks(T, call, z, A, right));
  TRY_CLEANUP(readWorst(T, call, size, z, A, right, true));
cleanup:
  clVectorDestroy(right);
  clVectorDestroy(z);
  return status;
}

/* A singular system's solution may have a small backward error. weak[j] <- system j is solved, but
 * may be singular. Returns how many in *count, with their numbers in `list`. */
static clStatus findDoubtful(const clTridiagonal *T, const char *call, const clTridiagonalBands *A,
                             const clVector *rhs, const float *error, bool *weak, float *list,
                             int *count) {
  int systems = systemsOf(T), solved = 0;
  *count = 0;
  for (int j = 0; j < systems; j++) {
    weak[j] = weak[j] && (double)error[j] <= tolerance;
    solved += weak[j];
  }
  if (!solved)
    return TEXLA_OK;
  float *size = txAllocate(txContextError(T->context), call, (size_t)systems + 4, sizeof *size,
                           "the sizes of solutions");
  if (!size)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(probe(T, call, size, A, rhs));
  for (int j = 0; j < systems; j++) {
    weak[j] = weak[j] && !(size[j] <= LARGE);
    if (weak[j])
      list[(*count)++] = (float)j;
  }
cleanup:
  free(size);
  return status;
}

/* What a solution of a batch needs. */
typedef struct checking {
  /* of each system */
  float *error;
  bool *weak;
  float *list;
  clTridiagonalReport report;
} checking;

/* Solves and checks; x: the result so far. `decide`: what may be singular is
 * eliminated in double. */
static clStatus solveAndCheck(const clTridiagonal *T, const char *call, clVector *x,
                              const clTridiagonalBands *A, const clVector *rhs, checking *c,
                              bool decide) {
  int doubtful = 0;
  TRY(txTridiagonalBlocks(T, call, x, A, rhs));
  TRY(readErrors(T, call, c->error, c->weak, x, A, rhs));
  c->report.exchanged = listFailed(c->error, systemsOf(T), c->list, false);
  if (c->report.exchanged)
    TRY(solveAgain(T, call, x, A, rhs, c->error, c->list));
  TRY(findDoubtful(T, call, A, rhs, c->error, c->weak, c->list, &doubtful));
  if (!doubtful || !decide)
    return TEXLA_OK;
  return eliminate(T, call, x, A, rhs, c->error, c->list, doubtful, true);
}

/* x <- result, where systems without a solution have zeros. */
static clStatus handOver(const clTridiagonal *T, const char *call, clVector *x, clVector *result,
                         const checking *c) {
  int failed = listFailed(c->error, systemsOf(T), c->list, false);
  if (failed && T->options.folded)
    TRY(clVectorClear(result));
  else if (failed)
    TRY(blank(T, call, result, c->list, failed));
  txTextureExchange(&x->texture, &result->texture);
  return TEXLA_OK;
}

/* The solution goes into a vector of its own: x changes only when all is known. */
clStatus txTridiagonalChecked(const clTridiagonal *T, const char *call, clVector *x,
                              const clTridiagonalBands *A, const clVector *rhs,
                              clTridiagonalReport *report, clTridiagonalState *states,
                              bool *doubtful) {
  size_t systems = (size_t)systemsOf(T);
  clError *message = txContextError(T->context);
  checking c = {.report = {.first = -1}};
  clVector *result = NULL;
  clStatus status = TEXLA_OK;
  c.error = txAllocate(message, call, systems + 4, sizeof *c.error, "the errors of systems");
  if (c.error)
    c.weak = txAllocate(message, call, systems, sizeof *c.weak, "a list of systems");
  if (c.weak)
    c.list = txAllocate(message, call, systems, sizeof *c.list, "a list of systems");
  if (!c.list)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(txVectorCreate(&result, T->context, call, &T->layout));
  TRY_CLEANUP(solveAndCheck(T, call, result, A, rhs, &c, !doubtful));
  fillReport(&c.report, states, c.error, (int)systems);
  TRY_CLEANUP(handOver(T, call, x, result, &c));
  if (doubtful)
    memcpy(doubtful, c.weak, systems * sizeof *doubtful);
  if (report)
    *report = c.report;
  status = say(T, call, &c.report, c.error);
cleanup:
  clVectorDestroy(result);
  free(c.error);
  free(c.weak);
  free(c.list);
  return status;
}
