/* texla factor: P A = L U, A = L U, A = L L^T, or the reduced row echelon form, of a Matrix Market
 * file.
 *
 * The device factors in single precision what may have been scaled by powers of two; here the
 * factors become those of A itself, and their residual is computed in double, before anything is
 * written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "program/program.h"
#include "core/allocate.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/rows.h"
#include "core/try.h"
#include "elimination/host_lower.h"
#include "io/json.h"
#include "io/matrix_market.h"
#include "system/scaling.h"
#include "texla/cholesky.h"
#include "texla/crout.h"
#include "texla/io.h"
#include "platform/platform.h"

/* Below the options in --help. */
static const char notes[] =
    "P A = L U: row i of P A is row p(i) of A, --out-p. With complete pivoting the\n"
    "columns are in another order, too: P A Q = L U, --out-q. Gauss-Jordan has no\n"
    "factors: --out-r is its reduced row echelon form. A = L L^T: --out-l.\n"
    "Crout: A = L U without pivots, U has ones on its diagonal; --out-z is L and U in\n"
    "one matrix. In single precision it is a fixed-point iteration on the device,\n"
    "in double Crout's method in order on one processor.\n"
    "\n"
    "Exit status: 0 full rank, 1 rank-deficient (results are written), 2 bad use or\n"
    "input (nothing is written).\n"
    "\n"
    "Examples:\n"
    "  texla factor A.mtx --out-l L.mtx --out-u U.mtx --out-p p.mtx\n"
    "  texla factor A.mtx --pivot complete --json\n"
    "  texla factor A.mtx --method gauss-jordan --out-r R.mtx\n"
    "  texla factor A.mtx --method cholesky-packed --out-l L.mtx\n"
    "  texla factor A.mtx --method crout --precision double --out-z Z.mtx\n";

/* By place in `methods`, which --method chooses from. */
enum { PLU, GAUSS_JORDAN, CHOLESKY, CHOLESKY_PACKED, CROUT };
static const char *const methods[] = {"plu", "gauss-jordan", "cholesky", "cholesky-packed", "crout",
                                      NULL};
static const char *const pivots[] = {"partial",    "complete", "block-harm",
                                     "block-geom", "none",     NULL};
_Static_assert(TEXLA_PIVOT_PARTIAL == 0 && TEXLA_PIVOT_NONE == 4, "the order of pivotings");
/* Of Crout's method: clCroutOrder, clCroutSweep, and where it runs. */
static const char *const orders[] = {"antidiagonal", "sequential", NULL};
static const char *const sweeps[] = {"tiles", "entries", NULL};
static const char *const precisions[] = {"single", "double", NULL};

/* One run of the command. */
typedef struct Factor {
  txProgram program;
  txCommon common;
  /* NULL: not given */
  const char *path, *out_l, *out_u, *out_p, *out_q, *out_r, *out_z;
  /* places in `methods`, `pivots`, `orders`, `sweeps` and `precisions` */
  int method, pivot, order, sweep, precision;
  int64_t section;
  double tolerance;
  bool json;
  clContext *context;
  clTriplets *A;
  /* where single precision does not hold A as it is: what is factored is diag(row) A diag(col) */
  bool scales;
  txRows rows;
  txScaling scale;
  txScaled scaled;
  /* A; L and U, or R */
  clDense *dense, *result;
  clPlu *plu;
  clCholesky *cholesky;
  clCrout *crout;
  clCroutReport sections;
  /* of the result: L and U of A itself; of L L^T, L and L^T; Z; or R */
  double *values;
  /* of R */
  int *pivot_cols;
  clPluReport report;
  /* NaN: not known */
  double seconds, rcond, residual, backward_error;
} Factor;

/* On the device A, the factors and the panels, here A, the factors, and two matrices in double to
 * check them. */
static clStatus checkMemory(const Factor *f, clError *error) {
  double entries = (double)f->A->rows * f->A->cols;
  return txProgramCheckMemory(entries * (5 * sizeof(float) + 5 * sizeof(double)),
                              "this factorization", error);
}

/* Both have L alone; packed is a way to store it. */
static bool isCholesky(const Factor *f) {
  return f->method == CHOLESKY || f->method == CHOLESKY_PACKED;
}

/* The result is two triangles. */
static bool hasTriangles(const Factor *f) {
  return f->method != GAUSS_JORDAN;
}

/* Crout's method in double needs no device. */
static bool isOnHost(const Factor *f) {
  return f->method == CROUT && f->precision == 1;
}

/* Z in double, in order; A's entries given twice are summed. */
static clStatus factorOnHost(Factor *f, clError *error) {
  int n = f->A->rows;
  f->report.rank = n;
  f->rcond = (double)NAN;
  memset(f->values, 0, (size_t)n * (size_t)n * sizeof *f->values);
  for (int64_t k = 0; k < f->A->count; k++)
    f->values[(int64_t)f->A->row[k] * n + f->A->col[k]] += f->A->value[k];
  double start = txNow();
  TRY(clCroutHost(f->values, f->values, n, TEXLA_CROUT_SCALE_NONE, NULL, error));
  f->seconds = txNow() - start;
  return TEXLA_OK;
}

/* A deficient rank is a result, not a failure: the report has it. */
static clStatus factorOnce(Factor *f) {
  clEliminationOptions o = {.pivoting = (clPivoting)f->pivot};
  /* Cholesky has no report: what it factors is regular. */
  f->report.rank = f->A->rows;
  if (isCholesky(f))
    return clCholeskyFactor(f->cholesky, f->dense, NULL);
  if (f->method == CROUT)
    return clCroutFactor(f->crout, f->dense, &f->sections);
  clStatus status;
  if (f->method == PLU)
    status = clPluFactor(f->plu, f->dense, &f->report);
  else
    status = clDenseRref(f->result, f->dense, &o, &f->report.rank, f->pivot_cols);
  /* The rank is part of the report. */
  if (status == TEXLA_RANK_DEFICIENT)
    return TEXLA_OK;
  return status;
}

/* From P (R A C) Q = L U to P A Q = L' U' with D = P R P^T: L' = D^-1 L D, U' = D^-1 U (Q^T C
 * Q)^-1. R and C hold powers of two. */
static void unscale(Factor *f, const double *row, const double *col) {
  const int32_t *p = clPluRows(f->plu), *q = clPluCols(f->plu);
  int rows = f->A->rows, cols = f->A->cols;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      int from = j;
      if (q)
        from = q[j];
      double *value = &f->values[(int64_t)i * cols + j];
      if (i > j)
        *value *= row[p[j]] / row[p[i]];
      else /* rounded once, where the result is subnormal */
        *value = *value / col[from] / row[p[i]];
    }
}

/* S A S = L L^T: A's factor is S^-1 L. */
static void unscaleLower(Factor *f) {
  int n = f->A->rows;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      f->values[(int64_t)i * n + j] /= f->scale.row[i];
}

/* R A C = L' U' with ones on the diagonal of U': L = R^-1 L' C^-1, U = C U' C^-1. */
static void unscaleCrout(Factor *f) {
  int n = f->A->rows;
  const double *row = f->scale.row, *col = f->scale.col;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double *value = &f->values[(int64_t)i * n + j];
      if (i >= j)
        *value = *value / col[j] / row[i];
      else
        *value *= col[i] / col[j];
    }
}

/* R A C = R A(:, p) C_p E with E the echelon form: that of A is C_p E C^-1. */
static void unscaleEchelon(Factor *f) {
  int cols = f->A->cols;
  for (int k = 0; k < f->report.rank; k++)
    for (int j = 0; j < cols; j++)
      f->values[(int64_t)k * cols + j] *= f->scale.col[f->pivot_cols[k]] / f->scale.col[j];
}

/* From the factors of what was factored to those of A. */
static void unscaleAll(Factor *f) {
  /* PLU scales by itself as well: that goes first. */
  if (f->method == PLU)
    unscale(f, clPluRowScale(f->plu), clPluColScale(f->plu));
  if (!f->scales)
    return;
  if (f->method == PLU)
    unscale(f, f->scale.row, f->scale.col);
  else if (isCholesky(f))
    unscaleLower(f);
  else if (f->method == CROUT)
    unscaleCrout(f);
  else
    unscaleEchelon(f);
}

/* L^T stands where U would. */
static void mirror(Factor *f) {
  int n = f->A->rows;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      f->values[(int64_t)j * n + i] = f->values[(int64_t)i * n + j];
}

/* The factors as one matrix in double, without the scaling that they were computed with. */
static clStatus download(Factor *f, clError *error) {
  const clDense *result = f->result;
  if (isOnHost(f))
    return TEXLA_OK;
  if (f->method == PLU)
    result = clPluFactors(f->plu);
  else if (f->method == CROUT)
    result = clCroutFactors(f->crout);
  int64_t count = (int64_t)f->A->rows * f->A->cols;
  float *single = txAllocate(error, "clMemory", (size_t)count, sizeof *single, "the factors");
  if (!single)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txProgramTake(error, f->context, clDenseDownload(result, single, f->A->cols)));
  for (int64_t k = 0; k < count; k++)
    f->values[k] = (double)single[k];
  unscaleAll(f);
  if (isCholesky(f))
    mirror(f);
cleanup:
  free(single);
  return status;
}

/* Scaled by powers of two where an entry is near or beyond what single precision holds, and the
 * factors' too: then nothing overflows, and nothing vanishes that counts. */
static clStatus scale(Factor *f, clError *error) {
  /* Far from 2^128, where single precision ends, so that products of factors stay below it, too. */
  const double most = 0x1p60;
  txScalingKind kind = TX_SCALE_ROWS_COLS;
  if (isCholesky(f))
    kind = TX_SCALE_DIAGONAL;
  /* One such entry is enough: then all are scaled. */
  for (int64_t k = 0; k < f->A->count; k++) {
    double v = fabs(f->A->value[k]);
    f->scales = f->scales || v > most || (v > 0 && v * most < 1);
  }
  if (!f->scales)
    return TEXLA_OK;
  TRY(txRowsFind(&f->rows, f->A, "clDenseUploadTriplets", error));
  TRY(txScalingCreate(&f->scale, &f->rows, kind, error));
  return txScalingApply(&f->scaled, &f->scale, 1, error);
}

/* Sends A and makes room for what it is factored into. */
static clStatus create(Factor *f) {
  clPluOptions plu = {.elimination = {.pivoting = (clPivoting)f->pivot}};
  clCholeskyOptions packed = {.packed = f->method == CHOLESKY_PACKED};
  clCroutOptions crout = {.section = (int)f->section,
                          .order = (clCroutOrder)f->order,
                          .sweep = (clCroutSweep)f->sweep,
                          .tolerance = f->tolerance};
  int rows = f->A->rows, cols = f->A->cols;
  /* What is uploaded: A, or A scaled. */
  const clTriplets *A = f->A;
  if (f->scales)
    A = &f->scaled.A;
  TRY(clDenseCreate(&f->dense, f->context, rows, cols));
  TRY(clDenseUploadTriplets(f->dense, A));
  if (f->method == PLU)
    return clPluCreate(&f->plu, f->context, rows, cols, &plu);
  if (f->method == CROUT)
    return clCroutCreate(&f->crout, f->context, rows, &crout);
  TRY(clDenseCreate(&f->result, f->context, rows, cols));
  if (isCholesky(f))
    TRY(clCholeskyCreate(&f->cholesky, f->context, rows, &packed));
  return TEXLA_OK;
}

/* 1 / (||A|| ||A^-1||), 0 of singular matrices; NaN where nobody has asked for it. */
static clStatus findCondition(Factor *f) {
  f->rcond = (double)NAN;
  if (!hasTriangles(f) || f->method == CROUT || f->A->rows != f->A->cols)
    return TEXLA_OK;
  f->rcond = 0;
  if (isCholesky(f))
    return clCholeskyCondition(f->cholesky, &f->rcond);
  if (f->report.smallest_pivot > 0)
    return clPluCondition(f->plu, TEXLA_NORM_ONE, &f->rcond);
  return TEXLA_OK;
}

/* The second of two runs is timed: the first one compiles and chooses variants. */
static clStatus compute(Factor *f) {
  TRY(create(f));
  for (int run = 0; run < 2; run++) {
    /* Each factorization ends by reading its rank, so that the device has done it when it is timed.
     * */
    double start = txNow();
    TRY(factorOnce(f));
    f->seconds = txNow() - start;
  }
  TRY(findCondition(f));
  if (isCholesky(f))
    TRY(clCholeskyLower(f->cholesky, f->result));
  return TEXLA_OK;
}

/* A as it came may have no factor where A rounded to single precision has one: where the condition
 * does not tell them apart, A itself is factored in double. */
static clStatus decide(const Factor *f, clError *error) {
  int n = f->A->rows;
  if (!isCholesky(f) || f->rcond > 16 * fmax(4, sqrt(n)) * ldexp(1, -23))
    return TEXLA_OK;
  /* A packed triangle, row after row: half of what a square would take. */
  txHostLower lower = {.order = n, .room = n};
  size_t count = (size_t)n * ((size_t)n + 1) / 2;
  lower.value = txAllocate(error, "clMemory", count, sizeof *lower.value, "a factor in double");
  if (!lower.value)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < f->A->count; k++)
    if (f->A->col[k] <= f->A->row[k])
      txHostLowerRow(&lower, f->A->row[k])[f->A->col[k]] += f->A->value[k];
  double *work = txAllocate(error, "clMemory", (size_t)n, sizeof *work, "a factor in double");
  int column = -1;
  if (work)
    column = txHostLowerFactor(&lower, work);
  free(lower.value);
  free(work);
  if (!work)
    return TEXLA_OUT_OF_MEMORY;
  if (column < 0)
    return TEXLA_OK;
  return txFail(error, TEXLA_SINGULAR, "clCholeskyFactor",
                "the %d x %d matrix is not positive definite (in double): column %d has no "
                "positive pivot",
                n, n, column + 1);
}

/* L and U as they stand in one matrix; a column of U ends at the diagonal, a row of L before it. */
static double lowerEntry(const Factor *f, int i, int k) {
  if (i == k && !isCholesky(f) && f->method != CROUT)
    return 1;
  if (i < k)
    return 0;
  return f->values[(int64_t)i * f->A->cols + k];
}

/* A row of U begins at the diagonal; Crout's ones there are not stored. */
static double upperEntry(const Factor *f, int k, int j) {
  if (k == j && f->method == CROUT)
    return 1;
  return f->values[(int64_t)k * f->A->cols + j];
}

/* P A Q - L U, or A - A(:, pivots) R, in double. */
typedef struct Check {
  const Factor *f;
  /* stride: of left, terms rounded up to whole groups */
  int terms, stride;
  /* rows x terms: L, or A's pivot columns */
  double *left;
  /* rows x cols: P A Q, of which the product is taken */
  double *rest;
} Check;
/* terms that are subtracted at once; columns, so that the tiles stay in the cache */
enum { GROUP = 4, TILE = 128 };

/* place[order[k]] <- k; without an order everything stays. */
static void invert(int32_t *place, const int32_t *order, int n) {
  for (int k = 0; k < n; k++)
    place[k] = k;
  for (int k = 0; k < n && order; k++)
    place[order[k]] = k;
}

/* An entry of L, or of A's pivot columns. */
static double leftEntry(const Check *c, int i, int k) {
  if (hasTriangles(c->f))
    return lowerEntry(c->f, i, k);
  return c->rest[(int64_t)i * c->f->A->cols + c->f->pivot_cols[k]];
}

/* rest <- P A Q, or A; left <- the left factor, row by row. */
static void fillCheck(Check *c, int32_t *row_place, int32_t *col_place) {
  const Factor *f = c->f;
  const clTriplets *A = f->A;
  invert(row_place, clPluRows(f->plu), A->rows);
  invert(col_place, clPluCols(f->plu), A->cols);
  for (int64_t k = 0; k < A->count; k++)
    c->rest[(int64_t)row_place[A->row[k]] * A->cols + col_place[A->col[k]]] += A->value[k];
  for (int i = 0; i < A->rows; i++)
    for (int k = 0; k < c->terms; k++)
      c->left[(int64_t)i * c->stride + k] = leftEntry(c, i, k);
}

/* A group of rows of U or R in columns j, ...: zeros below the diagonal, where L stands, and beyond
 * the last term. */
static void copyRight(const Check *c, double right[GROUP][TILE], int k, int64_t j, int width) {
  bool triangle = hasTriangles(c->f);
  for (int g = 0; g < GROUP; g++)
    for (int t = 0; t < width; t++) {
      bool zero = k + g >= c->terms || (triangle && j + t < k + g);
      right[g][t] = 0;
      if (!zero)
        right[g][t] = upperEntry(c->f, k + g, (int)j + t);
    }
}

/* Four terms at once, so that a row of the rest is read and written once for all of them. */
static void subtractGroup(double *restrict rest, const double *restrict l,
                          double right[GROUP][TILE], int width) {
  for (int t = 0; t < width; t++)
    rest[t] -= l[0] * right[0][t] + l[1] * right[1][t] + l[2] * right[2][t] + l[3] * right[3][t];
}

/* Takes the product off the rows whose first entries are among these of the matrix. */
static void subtractProduct(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const Check *c = user;
  int cols = c->f->A->cols, begin = (int)((first + cols - 1) / cols),
      end = (int)((last + cols - 1) / cols);
  double right[GROUP][TILE];
  (void)sum;
  for (int j = 0; j < cols && begin < end; j += TILE) {
    int width = txLeast(TILE, cols - j), terms = c->terms;
    /* the rest of L and U is zero here */
    if (hasTriangles(c->f))
      terms = txLeast(terms, txLeast(end, j + width));
    for (int k = 0; k < terms; k += GROUP) {
      copyRight(c, right, k, j, width);
      for (int64_t i = begin; i < end; i++)
        subtractGroup(c->rest + i * cols + j, c->left + i * c->stride + k, right, width);
    }
  }
}

/* The residual, and beside max |a_ij|. */
static clStatus measure(Factor *f, clError *error) {
  size_t rows = (size_t)f->A->rows, cols = (size_t)f->A->cols;
  Check c = {.f = f, .terms = f->report.rank};
  if (hasTriangles(f))
    c.terms = txLeast(f->A->rows, f->A->cols);
  /* At least one term more than there are: groups are then read without asking where they end. */
  c.stride = (c.terms + GROUP) / GROUP * GROUP;
  /* Where rows and columns of A stand in P A Q. */
  int32_t *place =
      txAllocate(error, "clMemory", rows + cols, sizeof *place, "checking a factorization");
  c.left = txAllocate(error, "clMemory", rows * (size_t)c.stride, sizeof *c.left,
                      "checking a factorization");
  c.rest = txAllocate(error, "clMemory", rows * cols, sizeof *c.rest, "checking a factorization");
  clStatus status = TEXLA_OK;
  double largest = 0;
  if (!place || !c.left || !c.rest)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  fillCheck(&c, place, place + rows);
  txParallel((int64_t)(rows * cols), subtractProduct, &c, NULL);
  for (size_t k = 0; k < rows * cols; k++)
    f->residual = txLarger(f->residual, fabs(c.rest[k]));
  for (int64_t k = 0; k < f->A->count; k++)
    largest = fmax(largest, fabs(f->A->value[k]));
  f->backward_error = f->residual;
  if (largest > 0)
    f->backward_error /= largest;
cleanup:
  free(place);
  free(c.left);
  free(c.rest);
  return status;
}

/* The non-zeros of a rows x cols part of the result: `lower` L, `upper` U, both all of it. */
static clStatus writePart(const Factor *f, txOutput *output, const char *path, int rows, int cols,
                          bool lower, bool upper, const char *comment, clError *error) {
  clTriplets *T = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsCreate(&T, rows, cols, (int64_t)rows, error));
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      double value = f->values[(int64_t)i * f->A->cols + j];
      if (lower && !upper)
        value = lowerEntry(f, i, j);
      else if (upper && !lower && i <= j)
        value = upperEntry(f, i, j);
      bool wanted = i == j || (i < j && upper) || (i > j && lower);
      if (wanted && value != 0)
        TRY_CLEANUP(clTripletsAdd(T, i, j, value, error));
    }
  TRY_CLEANUP(txMatrixMarketPrepare(output, path, T, false, comment, error));
cleanup:
  clTripletsDestroy(T);
  return status;
}

/* An order of rows or columns as a vector, which counts from 1 as Matrix Market does. */
static clStatus writeOrder(txOutput *output, const char *path, const int32_t *order, int n,
                           const char *comment, clError *error) {
  double *x = txAllocate(error, "clMemory", (size_t)n, sizeof *x, "the numbers of a matrix");
  if (!x)
    return TEXLA_OUT_OF_MEMORY;
  for (int i = 0; i < n; i++)
    x[i] = 1.0 + order[i];
  clStatus status = txMatrixMarketPrepareArray(output, "clMatrixMarketWriteVector", path, x, n, 1,
                                               comment, error);
  free(x);
  return status;
}

/* All files that are asked for, or none. */
static clStatus writeFiles(const Factor *f, clError *error) {
  enum { FILES = 6 };
  int rows = f->A->rows, cols = f->A->cols, steps = txLeast(rows, cols);
  txOutput output[FILES] = {0};
  clStatus status = TEXLA_OK;
  const char *comment = "L of P A = L U by texla factor", *upper = "U of P A = L U by texla factor";
  if (isCholesky(f))
    comment = "L of A = L L^T by texla factor";
  if (f->method == CROUT) {
    comment = "L of A = L U by texla factor, U has ones on its diagonal";
    upper = "U of A = L U by texla factor, with ones on its diagonal";
  }
  if (f->out_l)
    TRY_CLEANUP(writePart(f, &output[0], f->out_l, rows, steps, true, false, comment, error));
  if (f->out_u)
    TRY_CLEANUP(writePart(f, &output[1], f->out_u, steps, cols, false, true, upper, error));
  if (f->out_p)
    TRY_CLEANUP(writeOrder(&output[2], f->out_p, clPluRows(f->plu), rows,
                           "row i of P A is row p(i) of A", error));
  if (f->out_q)
    TRY_CLEANUP(writeOrder(&output[3], f->out_q, clPluCols(f->plu), cols,
                           "column j of A Q is column q(j) of A", error));
  if (f->out_r)
    TRY_CLEANUP(writePart(f, &output[4], f->out_r, rows, cols, true, true,
                          "reduced row echelon form by texla factor", error));
  if (f->out_z)
    TRY_CLEANUP(writePart(f, &output[5], f->out_z, rows, cols, true, true,
                          "Z = L + U - I of A = L U by texla factor", error));
  return txOutputCommitAll(output, FILES, error);
cleanup:
  for (int k = 0; k < FILES; k++)
    txOutputAbort(&output[k]);
  return status;
}

/* Flops of an elimination of m x n with r pivots: of each, a product of what is left;
 * Gauss-Jordan's takes all rows. */
static double flopsOf(const Factor *f) {
  double m = f->A->rows, n = f->A->cols, r = f->report.rank;
  if (f->method == GAUSS_JORDAN)
    return 2 * m * (n * r - r * r / 2);
  if (isCholesky(f))
    return n * n * n / 3;
  return 2 * (m * n * r - (m + n) * r * r / 2 + r * r * r / 3);
}

static const char *deviceOf(const Factor *f) {
  if (isOnHost(f))
    return "one processor";
  return clContextInspect(f->context)->renderer;
}

/* One object on standard output; a method's own members are there only where it has them. */
static void writeJson(const Factor *f) {
  txJson json;
  const char *pivot = pivots[f->pivot];
  double growth = (double)NAN;
  if (isCholesky(f) || f->method == CROUT)
    pivot = NULL;
  if (f->method == PLU)
    growth = f->report.growth;
  txJsonStart(&json, stdout);
  txJsonObject(&json, NULL);
  txJsonString(&json, "matrix", f->path);
  txJsonInteger(&json, "rows", f->A->rows);
  txJsonInteger(&json, "cols", f->A->cols);
  txJsonInteger(&json, "rank", f->report.rank);
  txJsonString(&json, "method", methods[f->method]);
  txJsonString(&json, "pivot", pivot);
  txJsonNumber(&json, "growth", growth);
  txJsonNumber(&json, "rcond", f->rcond);
  txJsonNumber(&json, "max_abs_residual", f->residual);
  txJsonNumber(&json, "backward_error", f->backward_error);
  txJsonNumber(&json, "seconds", f->seconds);
  txJsonNumber(&json, "gflops", flopsOf(f) / f->seconds * 1e-9);
  txJsonString(&json, "device", deviceOf(f));
  if (f->method == CROUT)
    txJsonString(&json, "precision", precisions[f->precision]);
  if (f->crout) {
    txJsonInteger(&json, "section", f->sections.section);
    txJsonInteger(&json, "sections", f->sections.sections);
    txJsonInteger(&json, "most_sweeps", f->sections.most_sweeps);
    txJsonInteger(&json, "sweeps", f->sections.sweeps);
    txJsonInteger(&json, "passes", f->sections.passes);
  }
  txJsonClose(&json);
}

/* Does one of the results go to standard output? */
static bool writesToOutput(const Factor *f) {
  const char *paths[] = {f->out_l, f->out_u, f->out_p, f->out_q, f->out_r, f->out_z};
  for (int k = 0; k < 6; k++)
    if (txProgramIsStandard(paths[k]))
      return true;
  return false;
}

/* What the residual is of. */
static const char *residualText(const Factor *f) {
  if (f->method == GAUSS_JORDAN)
    return "A - A(:, pivots) R";
  if (isCholesky(f))
    return "A - L L^T";
  if (f->method == CROUT)
    return "A - L U";
  if (clPluCols(f->plu))
    return "P A Q - L U";
  return "P A - L U";
}

/* For people; on standard error where a factor goes to standard output. */
static void writeSummary(const Factor *f) {
  static const char *const names[] = {[PLU] = "P A = L U",
                                      [GAUSS_JORDAN] = "Reduced row echelon form",
                                      [CHOLESKY] = "A = L L^T",
                                      [CHOLESKY_PACKED] = "A = L L^T",
                                      [CROUT] = "A = L U (Crout)"};
  FILE *file = stdout;
  if (writesToOutput(f))
    file = stderr;
  fprintf(file, "%s of %d x %d", names[f->method], f->A->rows, f->A->cols);
  if (f->method == CHOLESKY_PACKED)
    fprintf(file, ", packed");
  if (f->method == CROUT)
    fprintf(file, ", %s precision", precisions[f->precision]);
  else if (!isCholesky(f))
    fprintf(file, ", %s pivoting: rank %d", pivots[f->pivot], f->report.rank);
  fprintf(file, "\n");
  if (f->crout)
    fprintf(file, "  sections    %d of %d rows, at most %d sweeps of %s, %lld passes\n",
            f->sections.sections, f->sections.section, f->sections.most_sweeps, sweeps[f->sweep],
            (long long)f->sections.passes);
  if (f->method == PLU)
    fprintf(file, "  growth      %.3g = max |u| / max |a|\n", f->report.growth);
  if (!isnan(f->rcond))
    fprintf(file,
            "  rcond       %.3g, estimated 1 / (||A|| ||A^-1||), rows and columns equilibrated\n",
            f->rcond);
  fprintf(file, "  residual    %.3g = max |%s|, %.3g of max |a|\n", f->residual, residualText(f),
          f->backward_error);
  fprintf(file, "  time        %.3g s, %.3g GFLOP/s on %s\n", f->seconds,
          flopsOf(f) / f->seconds * 1e-9, deviceOf(f));
}

/* Everything that can fail without a device: the files that are to be written, A itself, its
 * symmetry, the memory. */
static clStatus prepare(Factor *f, clError *error) {
  const char *paths[] = {f->out_l, f->out_u, f->out_p, f->out_q, f->out_r, f->out_z};
  TRY(txProgramCheckOutputs(paths, 6, error));
  TRY(clMatrixMarketRead(&f->A, f->path, error));
  bool symmetric = true;
  if (isCholesky(f))
    TRY(txTripletsSymmetric(&symmetric, f->A, TX_SYMMETRIC, "clCholeskyFactor", error));
  if (!symmetric)
    return txFail(error, TEXLA_BAD_SHAPE, "clCholeskyFactor",
                  "%s is %d x %d and not symmetric: --method plu factors it", f->path, f->A->rows,
                  f->A->cols);
  if (f->method == CROUT && f->A->rows != f->A->cols)
    return txFail(error, TEXLA_BAD_SHAPE, "clCroutFactor",
                  "%s is %d x %d and not square: --method plu factors it", f->path, f->A->rows,
                  f->A->cols);
  TRY(checkMemory(f, error));
  if (!isOnHost(f))
    TRY(scale(f, error));
  f->values = txAllocate(error, "clMemory", (size_t)f->A->rows * (size_t)f->A->cols,
                         sizeof *f->values, "the numbers of a matrix");
  f->pivot_cols = txAllocate(error, "clMemory", (size_t)txLeast(f->A->rows, f->A->cols),
                             sizeof *f->pivot_cols, "the numbers of a matrix");
  if (!f->values || !f->pivot_cols)
    return TEXLA_OUT_OF_MEMORY;
  if (isOnHost(f))
    return TEXLA_OK;
  return txProgramOpen(&f->context, &f->program, (int64_t)f->A->rows * f->A->cols, error);
}

/* Reads, factors, checks, and writes files before anything is printed about them. */
static clStatus run(Factor *f, clError *error) {
  TRY(prepare(f, error));
  if (isOnHost(f))
    TRY(factorOnHost(f, error));
  else
    TRY(txProgramTake(error, f->context, compute(f)));
  TRY(decide(f, error));
  TRY(download(f, error));
  TRY(measure(f, error));
  TRY(writeFiles(f, error));
  if (f->json)
    writeJson(f);
  else if (!f->common.quiet)
    writeSummary(f);
  return TEXLA_OK;
}

/* Options that contradict each other; says so and returns false. */
static bool checkUse(const Factor *f) {
  /* The first contradiction is told. */
  const char *wrong = NULL;
  bool iterates = f->section || f->order || f->sweep || f->tolerance > 0;
  if (f->json && writesToOutput(f))
    wrong = "with --json, standard output holds the JSON object alone: give the --out options a "
            "file name";
  else if (hasTriangles(f) && f->out_r)
    wrong = "--out-r is for --method gauss-jordan";
  else if (f->method == GAUSS_JORDAN && (f->out_l || f->out_u || f->out_p || f->out_q))
    wrong = "--out-l, --out-u, --out-p and --out-q are for --method plu";
  else if (isCholesky(f) && (f->out_u || f->out_p || f->out_q || f->pivot))
    wrong = "--method cholesky has L alone and takes no pivots: --out-u, --out-p, --out-q and "
            "--pivot are for plu";
  else if (f->method == CROUT && (f->out_p || f->out_q || f->pivot))
    wrong = "--method crout takes no pivots: --out-p, --out-q and --pivot are for plu";
  else if (f->method != CROUT && (f->out_z || f->precision || iterates))
    wrong = "--section, --order, --sweep, --tolerance, --precision and --out-z are for --method "
            "crout";
  else if (isOnHost(f) && iterates)
    wrong = "--precision double is Crout's method in order: --section, --order, --sweep and "
            "--tolerance are for the iteration in single precision";
  else if (!(f->tolerance >= 0))
    wrong = "--tolerance must not be negative";
  else if (f->tolerance > 0 && !f->sweep)
    wrong = "--tolerance is for --sweep entries: tiles are exact";
  else if (f->out_q && f->pivot != TEXLA_PIVOT_COMPLETE)
    wrong = "--out-q is for --pivot complete: the columns keep their order otherwise";
  if (wrong)
    txUsageError(&f->program, "%s", wrong);
  return !wrong;
}

/* All that `run` has made is freed here, however far it came. */
static int factorMain(Factor *f) {
  if (!checkUse(f))
    return TX_EXIT_BAD;
  clError error;
  /* Rank-deficient results are written, and told by the exit status. */
  clStatus status = run(f, &error);
  bool full = status == TEXLA_OK && f->report.rank == txLeast(f->A->rows, f->A->cols);
  clDenseDestroy(f->dense);
  clDenseDestroy(f->result);
  clPluDestroy(f->plu);
  clCholeskyDestroy(f->cholesky);
  clCroutDestroy(f->crout);
  txScaledDestroy(&f->scaled);
  txScalingDestroy(&f->scale);
  txRowsForget(&f->rows);
  clTripletsDestroy(f->A);
  free(f->values);
  free(f->pivot_cols);
  clContextDestroy(f->context);
  return txProgramExit(&f->program, status, full, &error);
}

/* `texla factor`: options, one file, an exit status. */
int txFactorMain(int argc, char **argv) {
  Factor f = {0};
  const txOption options[] = {
      {"method", TX_OPTION_CHOICE, &f.method, NULL,
       "P A = L U (default), Gauss-Jordan's reduced row echelon form, A = L L^T of a symmetric "
       "positive definite matrix, stored as a square or packed, or A = L U by Crout",
       .choices = methods},
      {"pivot", TX_OPTION_CHOICE, &f.pivot, NULL,
       "the largest entry of the column (default), the largest of all, 2 x 2 blocks by the "
       "harmonic or the geometric measure (not every regular matrix), or none",
       .choices = pivots},
      {"out-l", TX_OPTION_TEXT, &f.out_l, "L.mtx",
       "write L ('-': standard output, as for the others)"},
      {"out-u", TX_OPTION_TEXT, &f.out_u, "U.mtx", "write U"},
      {"out-p", TX_OPTION_TEXT, &f.out_p, "p.mtx",
       "write the order of the rows, numbers from 1 on, one column"},
      {"out-q", TX_OPTION_TEXT, &f.out_q, "q.mtx",
       "write the order of the columns, with --pivot complete"},
      {"out-r", TX_OPTION_TEXT, &f.out_r, "R.mtx",
       "write the echelon form, with --method gauss-jordan"},
      {"out-z", TX_OPTION_TEXT, &f.out_z, "Z.mtx", "write L + U - I, with --method crout"},
      {"section", TX_OPTION_INTEGER, &f.section, "N",
       "crout: rows of a section (default: n / 10, from 256 to 1024)", .least = 1, .most = 32768},
      {"order", TX_OPTION_CHOICE, &f.order, NULL,
       "crout: sections of an anti-diagonal at once (default), or pair after pair",
       .choices = orders},
      {"sweep", TX_OPTION_CHOICE, &f.sweep, NULL,
       "crout: final tiles of 8 x 8 entries (default), or all entries until none changes",
       .choices = sweeps},
      {"tolerance", TX_OPTION_REAL, &f.tolerance, "T",
       "crout, entries: a section ends when no entry changes by more (default: 0)"},
      {"precision", TX_OPTION_CHOICE, &f.precision, NULL,
       "crout: single on the device (default), or double in order on one processor",
       .choices = precisions},
      {"json", TX_OPTION_FLAG, &f.json, NULL, "report in JSON, and print nothing else"},
      {0}};
  f.program = (txProgram){
      .name = "texla factor",
      .arguments = "A.mtx",
      .least = 1,
      .most = 1,
      .summary = "Factors a matrix in fragment shaders, as a dense one in single precision. '-' "
                 "reads it from standard input.",
      .options = options,
      .common = &f.common,
      .notes = notes};
  int status;
  if (!txArgumentsParse(&f.program, &argc, argv, &status))
    return status;
  f.path = argv[0];
  return factorMain(&f);
}
