/* texla-mpi cg: conjugate gradients over all ranks, which hold parts of the matrix and of the
 * vectors; the solution goes on in double where single precision is not enough. What one rank
 * fails in, all end with: so all agree on a status wherever one alone could have failed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli-mpi/commands.h"
#include "core/allocate.h"
#include "core/error.h"
#include "core/try.h"
#include "io/json.h"
#include "texla/io.h"
#include "platform/platform.h"

/* Below the options in --help. */
static const char notes[] = "A size N or NXxNY is Poisson's equation on so many points, in "
                            "rectangles, one for each rank; a file is read in\n"
                            "parts, in contiguous rows, and so is a right-hand side. Without --rhs "
                            "b = A * ones for files, and for sizes\n"
                            "its elements are between -1 and 1, from the numbers of their rows.\n"
                            "Residuals of files are computed in double, and corrected until ||b - "
                            "A x|| itself is small enough; for sizes\n"
                            "--refine does that, and where single precision has left a larger "
                            "residual than --tol it begins by itself.\n"
                            "\n"
                            "Examples:\n"
                            "  mpirun -np 4 texla-mpi cg 1024 --precond mg --json\n"
                            "  mpirun -np 6 texla-mpi cg A.mtx --precond amg --out x.mtx\n"
                            "  mpirun -np 4 texla-mpi cg 4096 --checkpoint run.x --every 500\n"
                            "  mpirun -np 2 texla-mpi cg 4096 --restart run.x\n";

/* What the command line asks for, what is made of it, and what came out. */
typedef struct Cg {
  txProgram program;
  txCommon common;
  clCluster *cluster;
  /* a size or a matrix file; paths, NULL: not given */
  const char *what, *rhs, *out, *save, *checkpoint, *restart;
  /* points along x and y (0: a file), ranks along them, a place in precond_name */
  int size[2], grid[2], precond;
  /* iterations between checkpoints; 0: the library's own limit */
  int64_t every, max_iterations;
  double tolerance;
  /* refine: x is computed in double, from the start or in the end */
  bool json, refine;
  /* this rank's elements of x, then those of b; NULL as long as nobody needs them */
  double *exact;
  /* corrections in double */
  int rounds;
  clClusterMatrix *A;
  /* of this rank, in single precision */
  clVector *x, *b;
  /* What came out: seconds are those of the solution, `setup` is what came before it. */
  clSolverReport report;
  clTraffic traffic;
  /* the true residual relative to b; of the solution, and of what comes before it */
  double residual, seconds, setup;
} Cg;

/* From a file, or Poisson's equation, which ranks make where it lives. */
static clStatus makeMatrix(Cg *cg) {
  if (!cg->size[0])
    return clClusterMatrixRead(&cg->A, cg->cluster, cg->what);
  return clClusterPoisson2d(&cg->A, cg->cluster, cg->size[0], cg->size[1], cg->grid[0],
                            cg->grid[1]);
}

/* b in double, where its elements belong: from a file; noise for Poisson's equation; A times ones
 * for other matrices. */
static clStatus makeRightSide(Cg *cg, double *b) {
  /* From a file, a formula of the row, or A times ones. */
  int64_t n = clClusterMatrixLocal(cg->A);
  if (cg->rhs)
    return clClusterVectorRead(b, cg->A, cg->rhs);
  if (cg->size[0]) {
    for (int64_t i = 0; i < n; i++)
      b[i] = (double)txMpiRightSide(clClusterMatrixNumber(cg->A, i));
    return TEXLA_OK;
  }
  for (int64_t i = 0; i < n; i++)
    b[i] = 1;
  return clClusterMatrixMultiplyHost(b, cg->A, b);
}

/* cg->exact: room for x in double, and behind it b. All ranks agree on memory and on b. */
static clStatus makeExact(Cg *cg, clError *error) {
  size_t n = (size_t)clClusterMatrixLocal(cg->A);
  cg->exact = txAllocate(error, "texla-mpi", 2 * n + 1, sizeof *cg->exact, "a right-hand side");
  TRY(txMpiAgreeOnMemory(cg->cluster, cg->exact, error));
  return txMpiTake(error, cg->cluster, makeRightSide(cg, cg->exact + n));
}

/* Element i of b, rounded. Grids in single precision have nothing in double: that would take four
 * times the memory of b. */
static float rightSideAt(const Cg *cg, int64_t i) {
  if (cg->exact)
    return (float)cg->exact[clClusterMatrixLocal(cg->A) + i];
  return txMpiRightSide(clClusterMatrixNumber(cg->A, i));
}

/* What can fail on this rank's device. */
static clStatus upload(Cg *cg, const float *value) {
  TRY(clClusterMatrixCreateVector(&cg->x, cg->A));
  TRY(clClusterMatrixCreateVector(&cg->b, cg->A));
  return clVectorUpload(cg->b, value);
}

/* x and b on this rank's device. */
static clStatus createVectors(Cg *cg, clError *error) {
  int64_t n = clClusterMatrixLocal(cg->A);
  float *value = txAllocate(error, "texla-mpi", (size_t)n + 1, sizeof *value, "a right-hand side");
  if (!value)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t i = 0; i < n; i++)
    value[i] = rightSideAt(cg, i);
  clStatus status = txProgramTake(error, clClusterContext(cg->cluster), upload(cg, value));
  free(value);
  return status;
}

/* All ranks agree on the right-hand side and on their vectors, one after the other: none leaves
 * while others wait for it. */
static clStatus makeVectors(Cg *cg, clError *error) {
  if (cg->refine || cg->rhs || !cg->size[0])
    TRY(makeExact(cg, error));
  return clClusterAgree(cg->cluster, createVectors(cg, error), error);
}

/* x in double, with residuals in double; its rounded elements go to cg->x. */
static clStatus refine(Cg *cg, const clSolverOptions *options,
                       const clClusterCheckpoint *checkpoint) {
  clClusterRefineReport report = {0};
  clStatus status = clClusterRefineFrom(cg->A, cg->exact, cg->exact + clClusterMatrixLocal(cg->A),
                                        options, checkpoint, &report);
  /* One kind of report for both ways. */
  cg->report = (clSolverReport){
      .reason = report.reason, .iterations = report.iterations, .residual = report.residual};
  cg->residual = report.residual;
  cg->rounds = report.rounds;
  return status;
}

/* cg->exact <- cg->x */
static clStatus bringSolution(Cg *cg, clError *error) {
  int64_t n = clClusterMatrixLocal(cg->A);
  if (!cg->exact)
    TRY(makeExact(cg, error));
  float *value = txAllocate(error, "texla-mpi", (size_t)n + 1, sizeof *value, "the solution");
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txMpiAgreeOnMemory(cg->cluster, value, error));
  status = txProgramTake(error, clClusterContext(cg->cluster), clVectorDownload(cg->x, value));
  TRY_CLEANUP(clClusterAgree(cg->cluster, status, error));
  for (int64_t i = 0; i < n; i++)
    cg->exact[i] = (double)value[i];
cleanup:
  free(value);
  return status;
}

/* "Converged" is said of the true residual. The recursive one drifts away from it in single
 * precision; then x goes on in double. */
static clStatus finishInDouble(Cg *cg, clSolverOptions options, clError *error) {
  int64_t before = cg->report.iterations;
  TRY(bringSolution(cg, error));
  if (options.max_iterations) {
    options.max_iterations -= before;
    /* a limit of 0 would be none */
    if (options.max_iterations < 1)
      options.max_iterations = 1;
  }
  cg->refine = true;
  clStatus status = refine(cg, &options, NULL);
  cg->report.iterations += before;
  return txMpiTake(error, cg->cluster, status);
}

/* The solver that is asked for; in the end cg->residual is the true one. */
static clStatus solve(Cg *cg, const clSolverOptions *options, clError *error) {
  clClusterCheckpoint checkpoint = {
      .save = cg->checkpoint, .every = cg->every, .restart = cg->restart};
  clStatus status = TEXLA_OK;
  if (cg->refine)
    status = refine(cg, options, &checkpoint);
  else
    status = clClusterSolveFrom(cg->A, cg->x, cg->b, options, &checkpoint, &cg->report);
  txMpiTake(error, cg->cluster, status);
  /* Refinement has told the true residual itself. */
  if (status < 0 || cg->refine)
    return status;
  clClusterResidual(cg->A, cg->x, cg->b, &cg->residual);
  if (status == TEXLA_OK && cg->residual > cg->tolerance)
    return finishInDouble(cg, *options, error);
  return status;
}

/* Setup and solution, each with its time, and what is sent meanwhile. */
static clStatus compute(Cg *cg, clError *error) {
  static const clPreconditioner preconditioner[] = {
      TEXLA_PRECONDITIONER_NONE, TEXLA_PRECONDITIONER_JACOBI, TEXLA_PRECONDITIONER_MG,
      TEXLA_PRECONDITIONER_AMG};
  double began = txNow();
  TRY(txMpiTake(error, cg->cluster, makeMatrix(cg)));
  TRY(makeVectors(cg, error));
  /* A limit of 0 is the library's own. */
  clSolverOptions options = {.preconditioner = preconditioner[cg->precond],
                             .tolerance = cg->tolerance,
                             .max_iterations = cg->max_iterations};
  clTraffic before = clClusterTraffic(cg->cluster);
  cg->setup = txNow() - began;
  /* All ranks begin together, so that waiting for a slower one counts where it happens. */
  MPI_Barrier(MPI_COMM_WORLD);
  began = txNow();
  clStatus status = solve(cg, &options, error);
  clContextSynchronize(clClusterContext(cg->cluster));
  cg->seconds = txNow() - began;
  /* Setup has its messages, too: they are not counted. */
  clTraffic after = clClusterTraffic(cg->cluster);
  cg->traffic = (clTraffic){after.bytes - before.bytes, after.messages - before.messages,
                            after.seconds - before.seconds};
  return status;
}

/* The words of --precond, by the places that compute knows. */
static const char *const precond_name[] = {"none", "jacobi", "mg", "amg", NULL};

/* On rank 0. The time in MPI is that of rank 0, which waits for the slowest one. */
static void printText(const Cg *cg) {
  printf("%s on %d ranks, preconditioner %s: %s after %lld iterations, %.4f s, %.1f %% of it in "
         "MPI\n",
         cg->what, clClusterSize(cg->cluster), precond_name[cg->precond],
         clReasonText(cg->report.reason), (long long)cg->report.iterations, cg->seconds,
         100 * cg->traffic.seconds / cg->seconds);
  if (cg->refine)
    printf("residual ||b - A x|| / ||b|| = %.3g in double, after %d rounds\n", cg->residual,
           cg->rounds);
  else
    printf("residual ||b - A x|| / ||b|| = %.3g (recursive %.3g)\n", cg->residual,
           cg->report.residual);
}

/* The names of the members are in the manual; programs read them. */
static void printJson(const Cg *cg) {
  txJson json;
  txJsonStart(&json, stdout);
  txJsonObject(&json, NULL);
  txJsonString(&json, "command", "cg");
  txJsonString(&json, "matrix", cg->what);
  txJsonInteger(&json, "rows", clClusterMatrixRows(cg->A));
  txJsonInteger(&json, "ranks", clClusterSize(cg->cluster));
  txJsonString(&json, "device", clContextInspect(clClusterContext(cg->cluster))->renderer);
  txJsonString(&json, "storage", clClusterMatrixDescription(cg->A));
  txJsonString(&json, "precond", precond_name[cg->precond]);
  txJsonString(&json, "reason", clReasonText(cg->report.reason));
  txJsonInteger(&json, "iterations", cg->report.iterations);
  if (cg->refine)
    txJsonInteger(&json, "rounds", cg->rounds);
  else
    txJsonNumber(&json, "recursive_residual", cg->report.residual);
  txJsonNumber(&json, "residual", cg->residual);
  txJsonNumber(&json, "setup_seconds", cg->setup);
  txJsonNumber(&json, "seconds", cg->seconds);
  txJsonNumber(&json, "communication", cg->traffic.seconds / cg->seconds);
  txJsonInteger(&json, "received_bytes", cg->traffic.bytes);
  txJsonInteger(&json, "messages", cg->traffic.messages);
  txJsonClose(&json);
}

/* all <- the own parts of all ranks, on rank 0 */
static clStatus gatherPart(Cg *cg, const float *part, double *all, clError *error) {
  TRY(clClusterAgree(cg->cluster, clVectorUpload(cg->x, part), error));
  return txMpiTake(error, cg->cluster, clClusterVectorGather(cg->A, cg->x, all));
}

/* all <- x on rank 0, nearly in double: as two parts in single precision, x rounded and what that
 * leaves. */
static clStatus gatherExact(Cg *cg, double *all, clError *error) {
  int64_t n = clClusterMatrixLocal(cg->A), rows = 0;
  if (clClusterRank(cg->cluster) == 0)
    rows = clClusterMatrixRows(cg->A);
  float *part = txAllocate(error, "texla-mpi", (size_t)n + 1, sizeof *part, "the solution");
  double *rest = txAllocate(error, "texla-mpi", (size_t)rows + 1, sizeof *rest, "the solution");
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txMpiAgreeOnMemory(cg->cluster, part && rest, error));
  for (int64_t i = 0; i < n; i++)
    part[i] = (float)cg->exact[i];
  TRY_CLEANUP(gatherPart(cg, part, all, error));
  for (int64_t i = 0; i < n; i++)
    part[i] = (float)(cg->exact[i] - (double)part[i]);
  TRY_CLEANUP(gatherPart(cg, part, rest, error));
  for (int64_t i = 0; i < rows; i++)
    all[i] += rest[i];
cleanup:
  free(part);
  free(rest);
  return status;
}

/* All ranks at once, in texla's own format. */
static clStatus saveResult(Cg *cg, clError *error) {
  clStatus status;
  if (cg->refine)
    status = clClusterVectorSaveHost(cg->A, cg->exact, cg->save, cg->report.iterations);
  else
    status = clClusterVectorSave(cg->A, cg->x, cg->save, cg->report.iterations);
  return txMpiTake(error, cg->cluster, status);
}

/* On rank 0, which needs memory for all of x. */
static clStatus writeVector(Cg *cg, clError *error) {
  bool root = clClusterRank(cg->cluster) == 0;
  int64_t n = clClusterMatrixRows(cg->A);
  double *all = NULL;
  if (root)
    all = txAllocate(error, "texla-mpi", (size_t)n, sizeof *all, "the solution");
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txMpiAgreeOnMemory(cg->cluster, all || !root, error));
  if (cg->refine)
    TRY_CLEANUP(gatherExact(cg, all, error));
  else
    TRY_CLEANUP(txMpiTake(error, cg->cluster, clClusterVectorGather(cg->A, cg->x, all)));
  if (root)
    status = clMatrixMarketWriteVector(cg->out, all, n, "texla-mpi cg", error);
  status = clClusterAgree(cg->cluster, status, error);
cleanup:
  free(all);
  return status;
}

/* Rank 0 gathers and writes; what fails there is what all end with. */
static clStatus writeResult(Cg *cg, clError *error) {
  if (cg->save)
    TRY(saveResult(cg, error));
  if (cg->out)
    TRY(writeVector(cg, error));
  if (clClusterRank(cg->cluster) != 0)
    return TEXLA_OK;
  if (cg->json)
    printJson(cg);
  else if (!cg->common.quiet)
    printText(cg);
  return TEXLA_OK;
}

/* One way in and one way out: whatever has been made goes, whatever has failed. */
static int run(Cg *cg) {
  clError error = {0};
  if (txMpiOpen(&cg->cluster, &cg->program))
    return TX_EXIT_BAD;
  clStatus status = txMpiCheckOutput(cg->cluster, cg->out, &error);
  if (status == TEXLA_OK)
    status = compute(cg, &error);
  clStatus written = status;
  if (status >= 0)
    written = writeResult(cg, &error);
  int result = txMpiResult(&cg->program, cg->cluster, status, written, &error);
  free(cg->exact);
  clVectorDestroy(cg->x);
  clVectorDestroy(cg->b);
  clClusterMatrixDestroy(cg->A);
  clClusterDestroy(cg->cluster);
  return result;
}

/* Sizes are solved in single precision, as long as that is enough; matrices of files, which may be
 * ill-conditioned, are refined from the start. */
int txMpiCgMain(int argc, char **argv) {
  Cg cg = {.every = 100};
  const txOption options[] = {
      {"precond", TX_OPTION_CHOICE, &cg.precond, NULL,
       "preconditioner (default none); mg for grids, amg for files", .choices = precond_name},
      {"tol", TX_OPTION_REAL, &cg.tolerance, "T",
       "stop when ||b - A x|| <= T ||b|| (default 1e-5); for files, and for sizes below 1e-6, "
       "it is corrected in double from the start",
       0, 1},
      {"refine", TX_OPTION_FLAG, &cg.refine, NULL,
       "go on to double accuracy, with the true residual in double: 1e-12 unless --tol says "
       "otherwise"},
      {"rhs", TX_OPTION_TEXT, &cg.rhs, "b.mtx", "the right-hand side, a Matrix Market vector"},
      {"max-iter", TX_OPTION_INTEGER, &cg.max_iterations, "N", "default: 10 times the rows", 1,
       9e15},
      {"grid", TX_OPTION_SIZE, cg.grid, "PXxPY",
       "rectangles along x and y; default: those with the shortest rims"},
      {"checkpoint", TX_OPTION_TEXT, &cg.checkpoint, "FILE",
       "save what the run needs to go on exactly, all ranks at once"},
      {"every", TX_OPTION_INTEGER, &cg.every, "N",
       "iterations between two checkpoints, at least (default 100)", 1, 1e9},
      {"restart", TX_OPTION_TEXT, &cg.restart, "FILE",
       "go on from a checkpoint of any number of ranks"},
      {"out", TX_OPTION_TEXT, &cg.out, "FILE",
       "write the solution, gathered, as a Matrix Market vector"},
      {"save", TX_OPTION_TEXT, &cg.save, "FILE",
       "write the solution, all ranks at once; --restart of a refinement reads it"},
      {"json", TX_OPTION_FLAG, &cg.json, NULL, "report as JSON"},
      {0}};
  cg.program = (txProgram){
      .name = "texla-mpi cg",
      .arguments = "N|NXxNY|A.mtx",
      .least = 1,
      .most = 1,
      .summary =
          "Solves a symmetric positive definite system with conjugate gradients over all ranks.",
      .options = options,
      .common = &cg.common,
      .notes = notes};
  int status;
  if (!txMpiParse(&cg.program, &argc, argv, &status))
    return status;
  cg.what = argv[0];
  double usual = 1e-5;
  if (cg.refine)
    usual = 1e-12;
  if (cg.tolerance == 0)
    cg.tolerance = usual;
  cg.refine = !txMpiGrid(cg.what, cg.size) || cg.refine || cg.tolerance < 1e-6;
  return run(&cg);
}
