/* texla factor: P A = L U, or the reduced row echelon form, of a Matrix Market file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/program.h"
#include "core/error.h"
#include "core/parallel.h"
#include "io/json.h"
#include "texla/dense.h"
#include "texla/io.h"

static const char notes[] = "P A = L U: row i of P A is row p(i) of A, --out-p. With full pivoting the\n"
                            "columns are in another order, too: P A Q = L U, --out-q. Gauss-Jordan has no\n"
                            "factors: --out-r is its reduced row echelon form.\n"
                            "\n"
                            "Exit status: 0 full rank, 1 rank-deficient (results are written), 2 bad use or\n"
                            "input (nothing is written).\n"
                            "\n"
                            "Examples:\n"
                            "  texla factor A.mtx --out-l L.mtx --out-u U.mtx --out-p p.mtx\n"
                            "  texla factor A.mtx --pivot full --json\n"
                            "  texla factor A.mtx --method gauss-jordan --out-r R.mtx\n";

enum { PLU, GAUSS_JORDAN };
static const char *const methods[] = {"plu", "gauss-jordan", NULL};
static const char *const pivots[] = {"partial", "full", "block-harm", "block-geom", "none", NULL};
_Static_assert(TEXLA_PIVOT_PARTIAL == 0 && TEXLA_PIVOT_NONE == 4, "the order of pivotings");

typedef struct Factor {
  txProgram program;
  txCommon common;
  const char *path, *out_l, *out_u, *out_p, *out_q, *out_r; /* NULL: not given */
  int method, pivot;
  bool json;
  clContext *context;
  clTriplets *A;
  clDense *dense, *result; /* A; L and U, or R */
  clPlu *plu;
  float *values;   /* of the result */
  int *pivot_cols; /* of R */
  clPluReport report;
  double seconds, rcond, residual, backward_error; /* NaN: not known */
} Factor;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

/* On the device A, the factors and the panels, here A, the factors, and two matrices in double to check them. */
static clStatus checkMemory(const Factor *f, clError *error) {
  double entries = (double)f->A->rows * f->A->cols;
  return txProgramCheckMemory(entries * (4 * sizeof(float) + 4 * sizeof(double)), "this factorization", error);
}

static clStatus factorOnce(Factor *f) {
  clEliminationOptions o = {.pivoting = (clPivoting)f->pivot};
  clStatus status = f->method == PLU ? clPluFactor(f->plu, f->dense, &f->report)
                                     : clDenseRref(f->result, f->dense, &o, &f->report.rank, f->pivot_cols);
  return status == TEXLA_SINGULAR ? TEXLA_OK : status;
}

/* The second of two runs is timed: the first one compiles and chooses variants. */
static clStatus compute(Factor *f) {
  clPluOptions o = {.elimination = {.pivoting = (clPivoting)f->pivot}};
  int rows = f->A->rows, cols = f->A->cols;
  clStatus status = clDenseCreate(&f->dense, f->context, rows, cols);
  if (status == TEXLA_OK)
    status = clDenseUploadTriplets(f->dense, f->A);
  if (status == TEXLA_OK)
    status = f->method == PLU ? clPluCreate(&f->plu, f->context, rows, cols, &o)
                              : clDenseCreate(&f->result, f->context, rows, cols);
  for (int run = 0; run < 2 && status == TEXLA_OK; run++) {
    double start = now();
    status = factorOnce(f);
    f->seconds = now() - start;
  }
  f->rcond = f->method == PLU && rows == cols ? 0 : (double)NAN;
  if (status == TEXLA_OK && f->rcond == 0 && f->report.rank == rows)
    status = clPluCondition(f->plu, &f->rcond);
  if (status == TEXLA_OK)
    status = clDenseDownload(f->method == PLU ? clPluFactors(f->plu) : f->result, f->values, cols);
  return status;
}

/* L and U as they stand in one matrix; a column of U ends at the diagonal, a row of L before it. */
static double lowerEntry(const Factor *f, int i, int k) {
  return i == k ? 1 : i > k ? (double)f->values[(int64_t)i * f->A->cols + k] : 0;
}

/* P A Q - L U, or A - A(:, pivots) R, in double. */
typedef struct Check {
  const Factor *f;
  int terms, stride; /* stride: of left, terms rounded up to whole groups */
  double *left;      /* rows x terms: L, or A's pivot columns */
  double *rest;      /* rows x cols: P A Q, of which the product is taken */
} Check;
enum { GROUP = 4, TILE = 128 }; /* terms that are subtracted at once; columns, so that the tiles stay in the cache */

/* place[order[k]] <- k; without an order everything stays. */
static void invert(int32_t *place, const int32_t *order, int n) {
  for (int k = 0; k < n; k++)
    place[order ? order[k] : k] = k;
}

static void fillCheck(Check *c, int32_t *row_place, int32_t *col_place) {
  const Factor *f = c->f;
  const clTriplets *A = f->A;
  invert(row_place, f->method == PLU ? clPluRows(f->plu) : NULL, A->rows);
  invert(col_place, f->method == PLU ? clPluCols(f->plu) : NULL, A->cols);
  for (int64_t k = 0; k < A->count; k++)
    c->rest[(int64_t)row_place[A->row[k]] * A->cols + col_place[A->col[k]]] += A->value[k];
  for (int i = 0; i < A->rows; i++)
    for (int k = 0; k < c->terms; k++)
      c->left[(int64_t)i * c->stride + k] =
          f->method == PLU ? lowerEntry(f, i, k) : c->rest[(int64_t)i * A->cols + f->pivot_cols[k]];
}

/* A group of rows of U or R in columns j, ...: zeros below the diagonal, where L stands, and beyond the last term. */
static void copyRight(const Check *c, double right[GROUP][TILE], int k, int64_t j, int width) {
  bool triangle = c->f->method == PLU;
  for (int g = 0; g < GROUP; g++)
    for (int t = 0; t < width; t++)
      right[g][t] = k + g >= c->terms || (triangle && j + t < k + g)
                        ? 0
                        : (double)c->f->values[(int64_t)(k + g) * c->f->A->cols + j + t];
}

static void subtractGroup(double *restrict rest, const double *restrict l, double right[GROUP][TILE], int width) {
  for (int t = 0; t < width; t++)
    rest[t] -= l[0] * right[0][t] + l[1] * right[1][t] + l[2] * right[2][t] + l[3] * right[3][t];
}

/* Takes the product off the rows whose first entries are among these of the matrix. */
static void subtractProduct(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const Check *c = user;
  int cols = c->f->A->cols, begin = (int)((first + cols - 1) / cols), end = (int)((last + cols - 1) / cols);
  double right[GROUP][TILE];
  (void)sum;
  for (int j = 0; j < cols && begin < end; j += TILE) {
    int width = least(TILE, cols - j), terms = c->terms;
    if (c->f->method == PLU) /* the rest of L and U is zero here */
      terms = least(terms, least(end, j + width));
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
  Check c = {.f = f, .terms = f->method == PLU ? least(f->A->rows, f->A->cols) : f->report.rank};
  c.stride = (c.terms + GROUP) / GROUP * GROUP;
  int32_t *place = malloc((rows + cols) * sizeof *place);
  c.left = calloc(rows * (size_t)c.stride, sizeof *c.left);
  c.rest = calloc(rows * cols, sizeof *c.rest);
  bool failed = !place || !c.left || !c.rest;
  double largest = 0;
  if (!failed) {
    fillCheck(&c, place, place + rows);
    txParallel((int64_t)(rows * cols), subtractProduct, &c, NULL);
    for (size_t k = 0; k < rows * cols; k++) /* NaN stays */
      f->residual = fabs(c.rest[k]) <= f->residual ? f->residual : fabs(c.rest[k]);
    for (int64_t k = 0; k < f->A->count; k++)
      largest = fmax(largest, fabs(f->A->value[k]));
    f->backward_error = largest > 0 ? f->residual / largest : f->residual;
  }
  free(place);
  free(c.left);
  free(c.rest);
  return failed ? txFail(error, TEXLA_OUT_OF_MEMORY, "clMemory", "no memory to check a factorization of %d x %d",
                         f->A->rows, f->A->cols)
                : TEXLA_OK;
}

/* The non-zeros of a rows x cols part of the result: `lower` L, `upper` U, both all of it. */
static clStatus writePart(const Factor *f, const char *path, int rows, int cols, bool lower, bool upper,
                          const char *comment, clError *error) {
  clTriplets *T = NULL;
  clStatus status = clTripletsCreate(&T, rows, cols, (int64_t)rows, error);
  for (int i = 0; i < rows && status == TEXLA_OK; i++)
    for (int j = 0; j < cols && status == TEXLA_OK; j++) {
      double value = (double)f->values[(int64_t)i * f->A->cols + j];
      if (lower && !upper)
        value = lowerEntry(f, i, j);
      if ((i < j ? upper : i > j ? lower : true) && value != 0)
        status = clTripletsAdd(T, i, j, value, error);
    }
  if (status == TEXLA_OK)
    status = clMatrixMarketWrite(path, T, false, comment, error);
  clTripletsDestroy(T);
  return status;
}

static clStatus writeOrder(const char *path, const int32_t *order, int n, const char *comment, clError *error) {
  double *x = malloc((size_t)n * sizeof *x);
  if (!x)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "clMemory", "no memory for %d numbers", n);
  for (int i = 0; i < n; i++)
    x[i] = 1.0 + order[i];
  clStatus status = clMatrixMarketWriteVector(path, x, n, comment, error);
  free(x);
  return status;
}

static clStatus writeFiles(const Factor *f, clError *error) {
  int rows = f->A->rows, cols = f->A->cols, steps = least(rows, cols);
  clStatus status = TEXLA_OK;
  if (f->out_l)
    status = writePart(f, f->out_l, rows, steps, true, false, "L of P A = L U by texla factor", error);
  if (status == TEXLA_OK && f->out_u)
    status = writePart(f, f->out_u, steps, cols, false, true, "U of P A = L U by texla factor", error);
  if (status == TEXLA_OK && f->out_p)
    status = writeOrder(f->out_p, clPluRows(f->plu), rows, "row i of P A is row p(i) of A", error);
  if (status == TEXLA_OK && f->out_q)
    status = writeOrder(f->out_q, clPluCols(f->plu), cols, "column j of A Q is column q(j) of A", error);
  if (status == TEXLA_OK && f->out_r)
    status = writePart(f, f->out_r, rows, cols, true, true, "reduced row echelon form by texla factor", error);
  return status;
}

/* Flops of an elimination of m x n with r pivots: of each, a product of what is left; Gauss-Jordan's takes all rows. */
static double flopsOf(const Factor *f) {
  double m = f->A->rows, n = f->A->cols, r = f->report.rank;
  if (f->method == GAUSS_JORDAN)
    return 2 * m * (n * r - r * r / 2);
  return 2 * (m * n * r - (m + n) * r * r / 2 + r * r * r / 3);
}

static void writeJson(const Factor *f) {
  txJson json;
  txJsonStart(&json, stdout);
  txJsonObject(&json, NULL);
  txJsonString(&json, "matrix", f->path);
  txJsonInteger(&json, "rows", f->A->rows);
  txJsonInteger(&json, "cols", f->A->cols);
  txJsonInteger(&json, "rank", f->report.rank);
  txJsonString(&json, "method", methods[f->method]);
  txJsonString(&json, "pivot", pivots[f->pivot]);
  txJsonNumber(&json, "growth", f->method == PLU ? f->report.growth : (double)NAN);
  txJsonNumber(&json, "rcond", f->rcond);
  txJsonNumber(&json, "max_abs_residual", f->residual);
  txJsonNumber(&json, "backward_error", f->backward_error);
  txJsonNumber(&json, "seconds", f->seconds);
  txJsonNumber(&json, "gflops", flopsOf(f) / f->seconds * 1e-9);
  txJsonString(&json, "device", clContextInspect(f->context)->renderer);
  txJsonClose(&json);
}

static bool writesToOutput(const Factor *f) {
  const char *paths[] = {f->out_l, f->out_u, f->out_p, f->out_q, f->out_r};
  for (int k = 0; k < 5; k++)
    if (paths[k] && strcmp(paths[k], "-") == 0)
      return true;
  return false;
}

static void writeSummary(const Factor *f) {
  FILE *file = writesToOutput(f) ? stderr : stdout;
  fprintf(file, "%s of %d x %d, %s pivoting: rank %d\n", f->method == PLU ? "P A = L U" : "Reduced row echelon form",
          f->A->rows, f->A->cols, pivots[f->pivot], f->report.rank);
  if (f->method == PLU)
    fprintf(file, "  growth      %.3g = max |u| / max |a|\n", f->report.growth);
  if (!isnan(f->rcond))
    fprintf(file, "  rcond       %.3g, estimated 1 / (||A|| ||A^-1||)\n", f->rcond);
  fprintf(file, "  residual    %.3g = max |%s|, %.3g of max |a|\n", f->residual,
          f->method == GAUSS_JORDAN ? "A - A(:, pivots) R"
          : clPluCols(f->plu)       ? "P A Q - L U"
                                    : "P A - L U",
          f->backward_error);
  fprintf(file, "  time        %.3g s, %.3g GFLOP/s on %s\n", f->seconds, flopsOf(f) / f->seconds * 1e-9,
          clContextInspect(f->context)->renderer);
}

static clStatus prepare(Factor *f, clError *error) {
  const char *paths[] = {f->out_l, f->out_u, f->out_p, f->out_q, f->out_r};
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 5 && status == TEXLA_OK; k++)
    status = txProgramCheckOutput(paths[k], error);
  if (status == TEXLA_OK)
    status = clMatrixMarketRead(&f->A, f->path, error);
  if (status == TEXLA_OK)
    status = checkMemory(f, error);
  if (status != TEXLA_OK)
    return status;
  f->values = malloc((size_t)f->A->rows * (size_t)f->A->cols * sizeof *f->values);
  f->pivot_cols = malloc((size_t)least(f->A->rows, f->A->cols) * sizeof *f->pivot_cols);
  if (!f->values || !f->pivot_cols)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "clMemory", "no memory for %d x %d numbers", f->A->rows, f->A->cols);
  return txProgramOpen(&f->context, &f->program, error);
}

static clStatus run(Factor *f, clError *error) {
  clStatus status = prepare(f, error);
  if (status != TEXLA_OK)
    return status;
  status = compute(f);
  if (status != TEXLA_OK) {
    *error = *clContextError(f->context);
    return status;
  }
  status = measure(f, error);
  if (status == TEXLA_OK)
    status = writeFiles(f, error);
  if (status == TEXLA_OK && f->json)
    writeJson(f);
  else if (status == TEXLA_OK && !f->common.quiet)
    writeSummary(f);
  return status;
}

static bool checkUse(const Factor *f) {
  const char *wrong = NULL;
  if (f->json && writesToOutput(f))
    wrong = "with --json, standard output holds the JSON object alone: give the --out options a file name";
  else if (f->method == PLU && f->out_r)
    wrong = "--out-r is for --method gauss-jordan";
  else if (f->method == GAUSS_JORDAN && (f->out_l || f->out_u || f->out_p || f->out_q))
    wrong = "--out-l, --out-u, --out-p and --out-q are for --method plu";
  else if (f->out_q && f->pivot != TEXLA_PIVOT_FULL)
    wrong = "--out-q is for --pivot full: the columns keep their order otherwise";
  if (wrong)
    txUsageError(&f->program, "%s", wrong);
  return !wrong;
}

static int factorMain(Factor *f) {
  if (!checkUse(f))
    return TX_EXIT_BAD;
  clError error;
  clStatus status = run(f, &error);
  bool full = status == TEXLA_OK && f->report.rank == least(f->A->rows, f->A->cols);
  clDenseDestroy(f->dense);
  clDenseDestroy(f->result);
  clPluDestroy(f->plu);
  clTripletsDestroy(f->A);
  free(f->values);
  free(f->pivot_cols);
  clContextDestroy(f->context);
  return status != TEXLA_OK ? txProgramFail(&f->program, &error) : full ? TX_EXIT_GOOD : TX_EXIT_NOT_CONVERGED;
}

int txFactorMain(int argc, char **argv) {
  Factor f = {0};
  const txOption options[] = {
      {"method", TX_OPTION_CHOICE, &f.method, NULL, "P A = L U (default), or Gauss-Jordan's reduced row echelon form",
       .choices = methods},
      {"pivot", TX_OPTION_CHOICE, &f.pivot, NULL,
       "the largest entry of the column (default), the largest of all, 2 x 2 blocks by the harmonic or the geometric "
       "measure (not every regular matrix), or none",
       .choices = pivots},
      {"out-l", TX_OPTION_TEXT, &f.out_l, "L.mtx", "write L ('-': standard output, as for the others)"},
      {"out-u", TX_OPTION_TEXT, &f.out_u, "U.mtx", "write U"},
      {"out-p", TX_OPTION_TEXT, &f.out_p, "p.mtx", "write the order of the rows, numbers from 1 on, one column"},
      {"out-q", TX_OPTION_TEXT, &f.out_q, "q.mtx", "write the order of the columns, with --pivot full"},
      {"out-r", TX_OPTION_TEXT, &f.out_r, "R.mtx", "write the echelon form, with --method gauss-jordan"},
      {"json", TX_OPTION_FLAG, &f.json, NULL, "report in JSON, and print nothing else"},
      {0}};
  f.program = (txProgram){.name = "texla factor",
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
