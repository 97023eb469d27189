/* texla multiply: the product of two Matrix Market files, C = A B, as dense matrices on the device;
 * its residual is computed in double before it is written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "program/program.h"
#include "core/allocate.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/try.h"
#include "io/json.h"
#include "texla/dense.h"
#include "texla/io.h"
#include "platform/platform.h"

/* Below the options in --help. */
static const char notes[] = "Examples:\n"
                            "  texla multiply A.mtx B.mtx --out C.mtx\n"
                            "  texla gen dense 500 1 | texla multiply - B.mtx --json\n";

/* One run of the command. */
typedef struct Multiply {
  txProgram program;
  txCommon common;
  /* of A and B; out NULL: not given */
  const char *path[2], *out;
  /* of the inner dimension, each one product that is added; 0: the library's single product */
  int64_t passes;
  bool json;
  clContext *context;
  /* on the host, and the same on the device */
  clTriplets *A, *B, *C;
  clDense *a, *b, *c;
  /* of the second product; relative, of the product with a vector */
  double seconds, residual;
} Multiply;

/* A and B, whose inner sizes must agree. */
static clStatus readFactors(Multiply *m, clError *error) {
  TRY(clMatrixMarketRead(&m->A, m->path[0], error));
  TRY(clMatrixMarketRead(&m->B, m->path[1], error));
  if (m->A->cols == m->B->rows)
    return TEXLA_OK;
  return txFail(error, TEXLA_BAD_SHAPE, "clDenseMultiply",
                "%s is %d x %d and %s is %d x %d: %d columns need %d rows", m->path[0], m->A->rows,
                m->A->cols, m->path[1], m->B->rows, m->B->cols, m->A->cols, m->A->cols);
}

/* Three dense matrices on the device, whose memory may be the machine's, and the result with its
 * indices. */
static clStatus checkMemory(const Multiply *m, clError *error) {
  double rows = m->A->rows, inner = m->A->cols, cols = m->B->cols;
  double bytes = 2 * sizeof(float) * (rows * inner + inner * cols) + 32 * rows * cols;
  return txProgramCheckMemory(bytes, "this product", error);
}

/* The second of two runs is timed: the first one compiles and chooses the variant. */
static clStatus compute(Multiply *m) {
  TRY(clDenseCreate(&m->a, m->context, m->A->rows, m->A->cols));
  TRY(clDenseCreate(&m->b, m->context, m->B->rows, m->B->cols));
  TRY(clDenseCreate(&m->c, m->context, m->A->rows, m->B->cols));
  TRY(clDenseUploadTriplets(m->a, m->A));
  TRY(clDenseUploadTriplets(m->b, m->B));
  for (int run = 0; run < 2; run++) {
    double start = txNow();
    TRY(clDenseMultiplyPasses(m->c, 1, TEXLA_NO_TRANSPOSE, m->a, TEXLA_NO_TRANSPOSE, m->b, 0,
                              txMost((int)m->passes, 1)));
    /* What was submitted is not what has been done. */
    TRY(clContextSynchronize(m->context));
    m->seconds = txNow() - start;
  }
  return clDenseDownloadTriplets(&m->C, m->c);
}

/* The Euclidean norm. */
static double norm(const double *v, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += v[i] * v[i];
  return sqrt(sum);
}

/* ||C v - A (B v)|| / ||A (B v)|| in double, with v = (1, 1/2, 1/3, ...): for the price of three
 * products with a vector it tells an error of any row. */
static clStatus measureResidual(Multiply *m, clError *error) {
  int rows = m->A->rows, inner = m->A->cols, cols = m->B->cols;
  /* v, B v, A (B v) and C v, one behind the other. */
  double *v = txAllocate(error, "clDenseMultiply", (size_t)cols + (size_t)inner + 2 * (size_t)rows,
                         sizeof *v, "vectors");
  if (!v)
    return TEXLA_OUT_OF_MEMORY;
  double *w = v + cols, *exact = w + inner, *difference = exact + rows;
  for (int j = 0; j < cols; j++)
    v[j] = 1.0 / (1 + j);
  clTripletsMulVector(w, m->B, v);
  clTripletsMulVector(exact, m->A, w);
  clTripletsMulVector(difference, m->C, v);
  for (int i = 0; i < rows; i++)
    difference[i] -= exact[i];
  double scale = norm(exact, rows);
  m->residual = norm(difference, rows);
  if (scale > 0)
    m->residual /= scale;
  free(v);
  return TEXLA_OK;
}

/* Floating-point operations are counted as of dense matrices, 2 m n k. */
static void report(const Multiply *m) {
  double flops = 2.0 * m->A->rows * m->A->cols * m->B->cols;
  FILE *file = txProgramSummary(m->out);
  if (m->json) {
    txJson json;
    txJsonStart(&json, stdout);
    txJsonObject(&json, NULL);
    txJsonInteger(&json, "rows", m->A->rows);
    txJsonInteger(&json, "cols", m->B->cols);
    txJsonInteger(&json, "inner", m->A->cols);
    txJsonInteger(&json, "passes", txMost((int)m->passes, 1));
    txJsonNumber(&json, "residual", m->residual);
    txJsonNumber(&json, "seconds", m->seconds);
    txJsonNumber(&json, "gflops", flops / m->seconds * 1e-9);
    txJsonString(&json, "device", clContextInspect(m->context)->renderer);
    txJsonClose(&json);
  } else if (!m->common.quiet) {
    fprintf(file,
            "C = A B: %d x %d, inner dimension %d\nresidual %.2e, %.3g s, %.3g GFLOP/s on %s\n",
            m->A->rows, m->B->cols, m->A->cols, m->residual, m->seconds, flops / m->seconds * 1e-9,
            clContextInspect(m->context)->renderer);
  }
}

/* Reads, multiplies, checks; the product is written when it is known to be right. */
static clStatus run(Multiply *m, clError *error) {
  TRY(txProgramCheckOutput(m->out, error));
  TRY(readFactors(m, error));
  TRY(checkMemory(m, error));
  TRY(txProgramOpen(&m->context, &m->program, (int64_t)m->A->rows * m->B->cols, error));
  TRY(txProgramTake(error, m->context, compute(m)));
  TRY(measureResidual(m, error));
  if (m->out)
    TRY(clMatrixMarketWrite(m->out, m->C, false, "product by texla multiply", error));
  report(m);
  return TEXLA_OK;
}

/* Standard input holds one matrix at most. All that `run` has made is freed here, however far it
 * came. */
static int multiplyMain(Multiply *m) {
  if (txProgramIsStandard(m->path[0]) && txProgramIsStandard(m->path[1]))
    return txUsageError(&m->program, "only one matrix can come from standard input");
  if (m->json && txProgramIsStandard(m->out))
    return txUsageError(&m->program, "--json and --out - both write to standard output");
  clError error;
  clStatus status = run(m, &error);
  clDenseDestroy(m->a);
  clDenseDestroy(m->b);
  clDenseDestroy(m->c);
  clTripletsDestroy(m->A);
  clTripletsDestroy(m->B);
  clTripletsDestroy(m->C);
  clContextDestroy(m->context);
  return txProgramExit(&m->program, status, true, &error);
}

/* `texla multiply`: options, two files, an exit status. */
int txMultiplyMain(int argc, char **argv) {
  Multiply m = {0};
  const txOption options[] = {
      {"out", TX_OPTION_TEXT, &m.out, "C.mtx", "write the product ('-': standard output)"},
      {"passes", TX_OPTION_INTEGER, &m.passes, "K",
       "add up the products of K slices of the inner dimension (default: one product)", 1, 1 << 20},
      {"json", TX_OPTION_FLAG, &m.json, NULL, "report in JSON, and print nothing else"},
      {0}};
  m.program = (txProgram){
      .name = "texla multiply",
      .arguments = "A.mtx B.mtx",
      .least = 2,
      .most = 2,
      .summary = "Multiplies two matrices in fragment shaders, as dense ones in single precision. "
                 "'-' reads one of them from standard input.",
      .options = options,
      .common = &m.common,
      .notes = notes};
  int status;
  if (!txArgumentsParse(&m.program, &argc, argv, &status))
    return status;
  m.path[0] = argv[0];
  m.path[1] = argv[1];
  return multiplyMain(&m);
}
