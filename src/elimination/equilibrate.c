#include "elimination/equilibrate.h"

#include "core/allocate.h"
#include "core/balance.h"
#include "core/numbers.h"
#include "core/try.h"

#include <math.h>
#include <stdlib.h>

/* exponents; beyond WIDE the largest entries of rows and columns say too little */
enum { NONE = -10000, NOT_FINITE = 10000, RANGE = 3, MODERATE = 40, WIDE = 12 };

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
  if (!(*out))
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
  clStatus status = e.row && e.col ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  if (!status)
    status = txExponentsUpload(&e.row_exponents, context, call, e.row, rows);
  if (!status)
    status = txExponentsUpload(&e.col_exponents, context, call, e.col, cols);
  if (status)
    txEquilibrationDestroy(&e);
  else
    *out = e;
  return status;
}

void txEquilibrationDestroy(txEquilibration *e) {
  free(e->row);
  free(e->col);
  txTextureDestroy(e->row_exponents);
  txTextureDestroy(e->col_exponents);
  *e = (txEquilibration){0};
}

static clStatus findParts(const char *call, txTexture **out, const clDense *A, bool columns,
                          const txTexture *shift, int part) {
  const txTexture *t = A->texture;
  int parts = ((columns ? t->height : t->width) + part - 1) / part;
  const char *const defines[] = {NULL, "#define COLUMNS\n", "#define SHIFTED\n",
                                 "#define COLUMNS\n#define SHIFTED\n"};
  txPass pass = {.kernel = "dense_exponents",
                 .defines = defines[(columns ? 1 : 0) + (shift ? 2 : 0)],
                 .source = {{"a", t, TX_EDGE}, {shift ? "shift" : NULL, shift, TX_EDGE}},
                 .uniform = {{"part", 1, {(float)part}, .integer = true}},
                 .work = part};
  clStatus status = txTextureCreate(out, A->context, call, TX_RG32F, columns ? t->width : parts,
                                    columns ? parts : t->height);
  pass.target[0] = *out;
  return status ? status : txPassRun(A->context, call, &pass);
}

/* In parts of about the root of the length, so that both passes have work for many fragments. */
clStatus txDenseExponents(const char *call, txTexture **out, const clDense *A, bool columns,
                          const txTexture *shift) {
  int along = columns ? A->texture->height : A->texture->width,
      across = columns ? A->texture->width : A->texture->height;
  int part = 1;
  txTexture *parts = NULL, *joined = NULL;
  while (part * part < along)
    part *= 2;
  clStatus status = findParts(call, &parts, A, columns, shift, part);
  if (!status)
    status = txTextureCreate(&joined, A->context, call, TX_RG32F, across, 1);
  txPass pass = {.kernel = "dense_exponents_join",
                 .defines = columns ? "#define COLUMNS\n" : NULL,
                 .target = {joined},
                 .source = {{"parts", parts, TX_EDGE}},
                 .work = part};
  if (!status)
    status = txPassRun(A->context, call, &pass);
  txTextureDestroy(parts);
  if (status)
    txTextureDestroy(joined);
  else
    *out = joined;
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
  int n = columns ? A->cols : A->rows, texels = txHalf(n);
  txTexture *texture = NULL;
  float *pairs =
      txAllocate(txContextError(A->context), call, (size_t)texels * 2, sizeof *pairs, "exponents");
  clStatus status = TEXLA_OK;
  if (!pairs)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
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

/* exponent[i] <- what brings row (column) i to largest entries in [1/2, 1), or zeros where all are
 * of about the same, moderate size. `uniform`: the same for all. True where something is scaled. */
static bool chooseExponents(int32_t *exponent, int n, bool uniform) {
  int32_t least = INT32_MAX, most = NONE;
  for (int i = 0; i < n; i++) {
    most = exponent[i] > most ? exponent[i] : most;
    least = exponent[i] != NONE && exponent[i] < least ? exponent[i] : least;
  }
  bool moderate = most >= -MODERATE && most <= MODERATE, alike = uniform || most - least <= RANGE;
  bool scales = most != NONE && !(moderate && alike);
  for (int i = 0; i < n; i++) {
    int32_t e = uniform || exponent[i] == NONE ? most : exponent[i];
    exponent[i] = scales ? -e : 0;
  }
  return scales;
}

/* How far the exponents that are not NONE are apart. */
static int32_t rangeOf(const int32_t *exponent, int n) {
  int32_t least = INT32_MAX, most = NONE;
  for (int i = 0; i < n; i++) {
    if (exponent[i] == NONE)
      continue;
    most = exponent[i] > most ? exponent[i] : most;
    least = exponent[i] < least ? exponent[i] : least;
  }
  return most == NONE ? 0 : most - least;
}

/* The sizes of A's entries, from the host. */
static clStatus readSizes(txSizes *out, const char *call, const clDense *A) {
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

static clStatus balance(txEquilibration *e, const char *call, const clDense *A) {
  txSizes sizes = {0};
  TRY(readSizes(&sizes, call, A));
  clStatus status = txBalance(e->row, e->col, &sizes, call, txContextError(A->context));
  txSizesDestroy(&sizes);
  return status;
}

clStatus txEquilibrationFind(txEquilibration *e, const char *call, const clDense *A, bool uniform) {
  bool rows_scale = false, cols_scale = false, wide = false;
  TRY(readExponents(call, A, false, NULL, e->row));
  wide = !uniform && rangeOf(e->row, e->rows) > WIDE;
  rows_scale = chooseExponents(e->row, e->rows, uniform);
  TRY(txExponentsUpload(&e->row_exponents, A->context, call, e->row, e->rows));
  for (int j = 0; j < e->cols; j++)
    e->col[j] = 0;
  if (!uniform) {
    TRY(readExponents(call, A, true, e->row_exponents, e->col));
    wide = wide || rangeOf(e->col, e->cols) > WIDE;
    cols_scale = chooseExponents(e->col, e->cols, false);
  }
  if (wide) {
    TRY(balance(e, call, A));
    TRY(txExponentsUpload(&e->row_exponents, A->context, call, e->row, e->rows));
  }
  e->scales = rows_scale || cols_scale || wide;
  return txExponentsUpload(&e->col_exponents, A->context, call, e->col, e->cols);
}
