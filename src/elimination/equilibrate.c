#include "elimination/equilibrate.h"

#include "core/allocate.h"
#include "core/balance.h"
#include "core/numbers.h"
#include "core/try.h"
#include "vector/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* exponents; beyond WIDE the largest entries of rows and columns say too little */
enum { NONE = -10000, NOT_FINITE = 10000, RANGE = 3, MODERATE = 40, WIDE = 12 };

/* Two exponents to a texel, as a texel of the matrix has two rows and two columns. */
clStatus txExponentsUpload(txTexture **out, clContext *context, const char *call,
                           const int32_t *exponent, int n) {
  int texels = txHalf(n);
  float *pairs =
      txAllocate(txContextError(context), call, (size_t)texels * 2, sizeof *pairs, "exponents");
  if (!pairs)
    return TEXLA_OUT_OF_MEMORY;
  for (int i = 0; i < n; i++)
    pairs[i] = (float)exponent[i];
  clStatus status = TEXLA_OK;
  if (!*out)
    TRY_CLEANUP(txTextureCreate(out, context, call, TX_RG32F, texels, 1));
  TRY_CLEANUP(txTextureWrite(*out, call, (txRect){0, 0, texels, 1}, pairs));
cleanup:
  free(pairs);
  return status;
}

clStatus txEquilibrationCreate(txEquilibration *out, clContext *context, const char *call, int rows,
                               int cols) {
  txEquilibration e = {.rows = rows, .cols = cols};
  e.row = txAllocate(txContextError(context), call, (size_t)rows, sizeof *e.row, "exponents");
  e.col = txAllocate(txContextError(context), call, (size_t)cols, sizeof *e.col, "exponents");
  clStatus status = TEXLA_OUT_OF_MEMORY;
  if (!e.row || !e.col)
    goto cleanup;
  TRY_CLEANUP(txExponentsUpload(&e.row_exponents, context, call, e.row, rows));
  TRY_CLEANUP(txExponentsUpload(&e.col_exponents, context, call, e.col, cols));
  *out = e;
  return TEXLA_OK;
cleanup:
  txEquilibrationDestroy(&e);
  return status;
}

void txEquilibrationDestroy(txEquilibration *e) {
  free(e->row);
  free(e->col);
  txTextureDestroy(e->row_exponents);
  txTextureDestroy(e->col_exponents);
  *e = (txEquilibration){0};
}

/* *out <- the largest exponent of each `part` texels of a row (column) of texels. */
static clStatus findParts(const char *call, txTexture **out, const clDense *A, bool columns,
                          const txTexture *shift, int part) {
  const txTexture *t = A->texture;
  char defines[64];
  int width = (t->width + part - 1) / part, height = t->height;
  if (columns) {
    width = t->width;
    height = (t->height + part - 1) / part;
  }
  snprintf(defines, sizeof defines, "%s%s", txWhen(columns, "#define COLUMNS\n"),
           txWhen(shift, "#define SHIFTED\n"));
  txPass pass = {.kernel = "dense_exponents",
                 .defines = defines,
                 .source = {{"a", t, TX_EDGE}},
                 .uniform = {{"part", 1, {(float)part}, .integer = true}},
                 .work = part};
  if (shift)
    txPassSource(&pass, "shift", shift, TX_EDGE);
  return txPassInto(out, A->context, call, &pass, TX_RG32F, width, height);
}

/* *out <- the largest of the `part`s, for each of `across` texels. */
static clStatus equilibrateJoinParts(const char *call, txTexture **out, clContext *context,
                                     const txTexture *parts, bool columns, int part, int across) {
  txPass pass = {.kernel = "dense_exponents_join",
                 .defines = txWhen(columns, "#define COLUMNS\n"),
                 .source = {{"parts", parts, TX_EDGE}},
                 .work = part};
  return txPassInto(out, context, call, &pass, TX_RG32F, across, 1);
}

/* In parts of about the root of the length, so that both passes have work for many fragments. */
clStatus txDenseExponents(const char *call, txTexture **out, const clDense *A, bool columns,
                          const txTexture *shift) {
  int along = A->texture->width, across = A->texture->height, part = 1;
  if (columns) {
    along = A->texture->height;
    across = A->texture->width;
  }
  txTexture *parts = NULL;
  while (part * part < along)
    part *= 2;
  TRY(findParts(call, &parts, A, columns, shift, part));
  clStatus status = equilibrateJoinParts(call, out, A->context, parts, columns, part, across);
  txTextureDestroy(parts);
  return status;
}

clStatus txDenseScale(const char *call, clDense *C, const clDense *A, const txTexture *row,
                      const txTexture *col, const float signs[2]) {
  txPass pass = {
      .kernel = "dense_scale",
      .source = {{"a", A->texture, TX_EDGE}, {"row", row, TX_EDGE}, {"col", col, TX_EDGE}},
      .uniform = {{"signs", 2, {signs[0], signs[1]}}}};
  return txDenseRun(call, &pass, C);
}

clStatus txEquilibrationApply(const txEquilibration *e, const char *call, clDense *S,
                              const clDense *A) {
  if (!e->scales)
    return clDenseCopy(S, A);
  return txDenseScale(call, S, A, e->row_exponents, e->col_exponents, (const float[]){1, 1});
}

/* exponent[i] <- the largest of row (column) i, NONE where it is zero. */
static clStatus readExponents(const char *call, const clDense *A, bool columns,
                              const txTexture *shift, int32_t *exponent) {
  int n = A->rows;
  if (columns)
    n = A->cols;
  int texels = txHalf(n);
  txTexture *texture = NULL;
  float *pairs =
      txAllocate(txContextError(A->context), call, (size_t)texels * 2, sizeof *pairs, "exponents");
  if (!pairs)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDenseExponents(call, &texture, A, columns, shift));
  TRY_CLEANUP(txTextureRead(texture, call, (txRect){0, 0, texels, 1}, pairs));
  for (int i = 0; i < n; i++) {
    exponent[i] = (int32_t)pairs[i];
    if (exponent[i] == NOT_FINITE)
      TRY_CLEANUP(txFail(txContextError(A->context), TEXLA_NOT_FINITE, call,
                         "%s %d of the matrix holds a value that is not finite",
                         columns ? "column" : "row", i + 1));
  }
cleanup:
  txTextureDestroy(texture);
  free(pairs);
  return status;
}

/* The largest exponent, NONE where all rows (columns) are zero; *range <- how far those of the
 * others are apart. */
static int32_t equilibrateLargestOf(const int32_t *exponent, int n, int32_t *range) {
  int32_t least = INT32_MAX, most = NONE;
  for (int i = 0; i < n; i++) {
    if (exponent[i] == NONE)
      continue;
    most = txMost(exponent[i], most);
    least = txLeast(exponent[i], least);
  }
  *range = 0;
  if (most != NONE)
    *range = most - least;
  return most;
}

/* exponent[i] <- what brings row (column) i to largest entries in [1/2, 1), or zeros where all are
 * of about the same, moderate size. `uniform`: the same for all. True where something is scaled. */
static bool chooseExponents(int32_t *exponent, int n, bool uniform) {
  int32_t range = 0, most = equilibrateLargestOf(exponent, n, &range);
  bool moderate = most >= -MODERATE && most <= MODERATE, alike = uniform || range <= RANGE;
  bool scales = most != NONE && !(moderate && alike);
  for (int i = 0; i < n; i++) {
    if (!scales)
      exponent[i] = 0;
    else if (uniform || exponent[i] == NONE)
      exponent[i] = -most;
    else
      exponent[i] = -exponent[i];
  }
  return scales;
}

/* Largest entries so far apart say too little about the others. */
static bool equilibrateIsWide(const int32_t *exponent, int n) {
  int32_t range = 0;
  equilibrateLargestOf(exponent, n, &range);
  return range > WIDE;
}

/* The sizes of A's entries, from the host. */
static clStatus equilibrateReadSizes(txSizes *out, const char *call, const clDense *A) {
  clError *error = txContextError(A->context);
  int64_t room = (int64_t)A->rows * A->cols, count = 0;
  clStatus status = TEXLA_OK;
  float *values = txAllocate(error, call, (size_t)room, sizeof *values, "the matrix");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  TRY_CLEANUP(clDenseDownload(A, values, A->cols));
  TRY_CLEANUP(txSizesCreate(out, A->rows, A->cols, room, call, error));
  for (int64_t k = 0; k < room; k++) {
    int e = 0;
    if (k % A->cols == 0)
      out->start[k / A->cols] = count;
    if (values[k] == 0)
      continue;
    frexpf(values[k], &e);
    out->col[count] = (int32_t)(k % A->cols);
    out->exponent[count++] = (int16_t)e;
  }
  out->start[A->rows] = count;
cleanup:
  free(values);
  return status;
}

/* Rows and columns together, with all entries: what largest entries alone cannot tell. */
static clStatus equilibrateBalance(txEquilibration *e, const char *call, const clDense *A) {
  txSizes sizes = {0};
  TRY(equilibrateReadSizes(&sizes, call, A));
  clStatus status = txBalance(e->row, e->col, &sizes, call, txContextError(A->context));
  txSizesDestroy(&sizes);
  return status;
}

/* Columns are looked at with the rows' exponents applied, so that what rows have mended counts. */
clStatus txEquilibrationFind(txEquilibration *e, const char *call, const clDense *A, bool uniform) {
  bool rows_scale = false, cols_scale = false, wide = false;
  TRY(readExponents(call, A, false, NULL, e->row));
  wide = !uniform && equilibrateIsWide(e->row, e->rows);
  rows_scale = chooseExponents(e->row, e->rows, uniform);
  TRY(txExponentsUpload(&e->row_exponents, A->context, call, e->row, e->rows));
  for (int j = 0; j < e->cols; j++)
    e->col[j] = 0;
  if (!uniform) {
    TRY(readExponents(call, A, true, e->row_exponents, e->col));
    wide = wide || equilibrateIsWide(e->col, e->cols);
    cols_scale = chooseExponents(e->col, e->cols, false);
  }
  if (wide) {
    TRY(equilibrateBalance(e, call, A));
    TRY(txExponentsUpload(&e->row_exponents, A->context, call, e->row, e->rows));
  }
  e->scales = rows_scale || cols_scale || wide;
  return txExponentsUpload(&e->col_exponents, A->context, call, e->col, e->cols);
}
