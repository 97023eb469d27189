/* texla lsq: weighted linear least squares from Matrix Market files, min ||D (b - A x)||, by
 * clLeastSquares, which also finds the rank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "core/allocate.h"
#include "program/program.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/try.h"
#include "io/json.h"
#include "texla/io.h"
#include "texla/least_squares.h"

/* Below the options in --help. */
static const char notes[] =
    "Finds x with the least ||D (b - A x)||: each row of A is an observation, each\n"
    "column belongs to an unknown; --weights holds the diagonal of D, ones without\n"
    "it. A is factored in single precision on the device, and x is corrected by\n"
    "residuals in double until corrections are below T. cholesky factors A' D D A\n"
    "and is the fastest; qr copes with columns that nearly depend on each other;\n"
    "auto begins with the one and takes the other when it has to. With fewer\n"
    "observations than unknowns the solution is the shortest x with A x = b, and\n"
    "takes no weights.\n"
    "\n"
    "Exit status: 0 solved, with full rank; 1 not converged, or the rank is below the\n"
    "number of unknowns: then those of columns that do not count are zero (results\n"
    "are written); 2 bad use or input (nothing is written).\n"
    "\n"
    "Examples:\n"
    "  texla lsq A.mtx b.mtx --out x.mtx\n"
    "  texla lsq A.mtx b.mtx --weights d.mtx --method qr --json\n";

/* In the order of clLeastSquaresMethod. */
static const char *const methods[] = {"auto", "cholesky", "qr", NULL};
_Static_assert(TEXLA_LEAST_SQUARES_AUTO == 0 && TEXLA_LEAST_SQUARES_QR == 2,
               "the order of methods");

/* One run of the command. */
typedef struct Lsq {
  txProgram program;
  txCommon common;
  /* NULL: not given */
  const char *path, *rhs, *weights, *out;
  /* a place in `methods` */
  int method;
  /* of a correction, in parts of x; 0: the library's own */
  double tolerance;
  bool json, plain;
  clContext *context;
  clTriplets *A;
  /* rows numbers, the weights (NULL: ones), cols unknowns */
  double *b, *d, *x;
  clLeastSquares *problem;
  clLeastSquaresReport report;
} Lsq;

/* A vector of so many numbers, or a message that says how many there are. */
static clStatus readVector(double **out, const char *path, int32_t wanted, const char *what,
                           clError *error) {
  int64_t count = 0;
  TRY(clMatrixMarketReadVector(out, &count, path, error));
  if (count != wanted)
    return txFail(error, TEXLA_BAD_SHAPE, "clMatrixMarketRead",
                  "%s: %lld %s, but A has %d rows (observations)", path, (long long)count, what,
                  wanted);
  return TEXLA_OK;
}

/* What can fail before a device is opened. */
static clStatus readInput(Lsq *l, clError *error) {
  TRY(txProgramCheckOutput(l->out, error));
  TRY(clMatrixMarketRead(&l->A, l->path, error));
  TRY(readVector(&l->b, l->rhs, l->A->rows, "numbers on the right-hand side", error));
  if (l->weights)
    TRY(readVector(&l->d, l->weights, l->A->rows, "weights", error));
  /* A, its scaled copy and its product on the device; A^T D^2 A in double for corrections. */
  double entries = (double)l->A->rows * l->A->cols, normal = (double)l->A->cols * l->A->cols;
  TRY(txProgramCheckMemory(entries * 3 * sizeof(float) + normal * 2 * sizeof(double),
                           "this problem", error));
  l->x = txAllocate(error, "clMemory", (size_t)l->A->cols, sizeof *l->x, "the unknowns");
  if (!l->x)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* Refined to double accuracy; the report has the method that has done it in the end. */
static clStatus compute(Lsq *l) {
  /* Without weights D is the identity. */
  clLeastSquaresOptions o = {
      .method = (clLeastSquaresMethod)l->method, .tolerance = l->tolerance, .plain = l->plain};
  TRY(clLeastSquaresCreate(&l->problem, l->context, l->A, &o));
  if (l->d)
    TRY(clLeastSquaresWeigh(l->problem, l->d));
  clStatus status = clLeastSquaresSolve(l->problem, l->x, l->b, &l->report);
  /* The report tells how far it came. */
  if (status == TEXLA_NOT_CONVERGED)
    return TEXLA_OK;
  return status;
}

/* One object, so that scripts need not parse sentences. */
static void writeJson(const Lsq *l) {
  const clLeastSquaresReport *r = &l->report;
  txJson json;
  txJsonStart(&json, stdout);
  txJsonObject(&json, NULL);
  txJsonString(&json, "matrix", l->path);
  txJsonInteger(&json, "m", l->A->rows);
  txJsonInteger(&json, "n", l->A->cols);
  txJsonInteger(&json, "rank", r->rank);
  txJsonString(&json, "method", clLeastSquaresMethodName(r->method));
  txJsonInteger(&json, "iterations", r->iterations);
  txJsonInteger(&json, "gradient_iterations", r->gradient_iterations);
  txJsonString(&json, "reason", clReasonText(r->reason));
  txJsonNumber(&json, "residual_norm", r->residual_norm);
  txJsonNumber(&json, "error_estimate", r->error_estimate);
  txJsonNumber(&json, "condition", r->condition);
  txJsonNumber(&json, "seconds_assemble", r->seconds_assemble);
  txJsonNumber(&json, "seconds_factor", r->seconds_factor);
  txJsonNumber(&json, "seconds_refine", r->seconds_refine);
  txJsonString(&json, "device", clContextInspect(l->context)->renderer);
  txJsonClose(&json);
}

/* For people; on standard error where x goes to standard output. */
static void writeSummary(const Lsq *l) {
  const clLeastSquaresReport *r = &l->report;
  FILE *file = txProgramSummary(l->out);
  fprintf(file, "%d observations, %d unknowns, by %s: rank %d, %s\n", l->A->rows, l->A->cols,
          clLeastSquaresMethodName(r->method), r->rank, clReasonText(r->reason));
  fprintf(file, "  residual    %.6g = ||D (b - A x)||\n", r->residual_norm);
  fprintf(file, "  error       about %.2g of x, condition about %.2g\n", r->error_estimate,
          r->condition);
  fprintf(file, "  corrections %d, %d of them by conjugate gradients\n", r->iterations,
          r->gradient_iterations);
  fprintf(file, "  time        assembly %.3g s, factorization %.3g s, refinement %.3g s on %s\n",
          r->seconds_assemble, r->seconds_factor, r->seconds_refine,
          clContextInspect(l->context)->renderer);
}

/* Files first, since they may be wrong; then the device, then the answer. */
static clStatus run(Lsq *l, clError *error) {
  TRY(readInput(l, error));
  TRY(txProgramOpen(&l->context, &l->program, (int64_t)l->A->rows * l->A->cols, error));
  TRY(txProgramTake(error, l->context, compute(l)));
  if (l->out)
    TRY(clMatrixMarketWriteVector(l->out, l->x, l->A->cols, "least squares solution by texla lsq",
                                  error));
  if (l->json)
    writeJson(l);
  else if (!l->common.quiet)
    writeSummary(l);
  return TEXLA_OK;
}

/* What contradicts itself is refused before anything is read. All that `run` has made is freed
 * here, however far it came. */
static int lsqMain(Lsq *l) {
  clError error;
  /* Standard input can be read once. */
  const char *paths[] = {l->path, l->rhs, l->weights};
  int standard = 0;
  for (int k = 0; k < 3; k++)
    standard += txProgramIsStandard(paths[k]);
  if (standard > 1)
    return txUsageError(&l->program, "only one of A, b and --weights can come from standard input");
  if (l->json && txProgramIsStandard(l->out))
    return txUsageError(
        &l->program,
        "with --json, standard output holds the JSON object alone: give --out a file name");
  clStatus status = run(l, &error);
  /* A solution of a smaller rank is one of many: results are written, and the exit status tells. */
  bool good = status == TEXLA_OK && l->report.reason == TEXLA_REASON_CONVERGED &&
              l->report.rank == txLeast(l->A->rows, l->A->cols);
  clLeastSquaresDestroy(l->problem);
  clTripletsDestroy(l->A);
  free(l->b);
  free(l->d);
  free(l->x);
  clContextDestroy(l->context);
  return txProgramExit(&l->program, status, good, &error);
}

/* `texla lsq`: options, A and b, an exit status. */
int txLsqMain(int argc, char **argv) {
  Lsq l = {0};
  const txOption options[] = {
      {"weights", TX_OPTION_TEXT, &l.weights, "d.mtx",
       "the diagonal of D, one number for each observation"},
      {"method", TX_OPTION_CHOICE, &l.method, NULL, "how A is factored", .choices = methods},
      {"tol", TX_OPTION_REAL, &l.tolerance, "T",
       "stop when a correction is at most T of x; 1e-14 without it", 0, 1},
      {"plain", TX_OPTION_FLAG, &l.plain, NULL,
       "plain refinement alone, as the paper's algorithm 1: no conjugate gradients, no second "
       "factor"},
      {"out", TX_OPTION_TEXT, &l.out, "x.mtx", "write the solution ('-': standard output)"},
      {"json", TX_OPTION_FLAG, &l.json, NULL, "report in JSON, and print nothing else"},
      {0}};
  l.program = (txProgram){
      .name = "texla lsq",
      .arguments = "A.mtx b.mtx",
      .least = 2,
      .most = 2,
      .summary = "Solves a weighted linear least squares problem to double accuracy. '-' reads one "
                 "of the files from standard input.",
      .options = options,
      .common = &l.common,
      .notes = notes};
  int status;
  if (!txArgumentsParse(&l.program, &argc, argv, &status))
    return status;
  l.path = argv[0];
  l.rhs = argv[1];
  return lsqMain(&l);
}
