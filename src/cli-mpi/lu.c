/* texla-mpi lu: P A = L U in blocks over a grid of ranks, and A x = b to double accuracy. Blocks
 * of A are dealt out block-cyclically (as ScaLAPACK does it); x and b are whole on each rank. */
#include <math.h>
#include <stdlib.h>

#include "cli-mpi/commands.h"
#include "core/allocate.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/try.h"
#include "io/json.h"
#include "mpi/market.h"
#include "mpi/plu_plan.h"
#include "platform/platform.h"
#include "texla/io.h"

/* Below the options in --help. */
static const char notes[] = "Without a file the matrix is random, made where it lives; without "
                            "--rhs, b_i = 1 + sin(i) / 2.\n"
                            "\n"
                            "Examples:\n"
                            "  mpirun -np 4 texla-mpi lu 4096 --grid 2x2 --block 128 --json\n"
                            "  mpirun -np 6 texla-mpi lu A.mtx --grid 2x3 --block 64 --out x.mtx\n";

/* One run of the command, on each rank. */
typedef struct Lu {
  txProgram program;
  txCommon common;
  clCluster *cluster;
  /* an order or a matrix file; paths, NULL: not given */
  const char *what, *out, *rhs;
  /* rows and columns of ranks; a place in `pivoting` below */
  int grid[2], pivoting;
  /* rows and columns of a block; of the random matrix; factorizations */
  int64_t block, seed, runs;
  /* Grid and block, as asked for or chosen. */
  txPluPlan plan;
  bool json, no_look_ahead;
  /* The matrix, its factors, and on each rank all of the solution and of the right-hand side. */
  clBlockMatrix *A;
  clBlockPlu *plu;
  /* n numbers each */
  double *x, *b;
  /* of the fastest run, and of the solution */
  clBlockPluReport factored;
  clBlockSolveReport solved;
} Lu;

/* The rows of the matrix, before it is there: a number on the command line, or in a file's head. */
static clStatus findRows(int64_t *rows, const Lu *lu) {
  txMarketHead head;
  *rows = txMpiSize(lu->what);
  if (*rows >= 0)
    return TEXLA_OK;
  TRY(txMarketOpen(&head, lu->cluster, lu->what));
  *rows = head.rows;
  return TEXLA_OK;
}

/* Grid and block, if they are not asked for. A size that no int holds is refused later. */
static clStatus choosePlan(Lu *lu) {
  int64_t rows;
  if (lu->plan.block && lu->plan.grid_rows)
    return TEXLA_OK;
  TRY(findRows(&rows, lu));
  txPluPlanChoose(&lu->plan, (int)txLeast64(rows, INT32_MAX), clClusterSize(lu->cluster));
  return TEXLA_OK;
}

/* From a file, or random; a size that no int holds is refused there as too large. */
static clStatus makeMatrix(Lu *lu) {
  int64_t n = txMpiSize(lu->what);
  const txPluPlan *p = &lu->plan;
  if (n < 0)
    return clBlockMatrixRead(&lu->A, lu->cluster, lu->what, p->block, p->grid_rows, p->grid_cols);
  TRY(clBlockMatrixCreate(&lu->A, lu->cluster, (int)txLeast64(n, INT32_MAX), p->block, p->grid_rows,
                          p->grid_cols));
  return clBlockMatrixRandom(lu->A, (uint64_t)lu->seed);
}

/* The whole of b on each rank, and room for x. Nothing here waits for another rank: all agree
 * afterwards. */
static clStatus makeRightSide(Lu *lu, clError *error) {
  /* x and b are short beside A, so that each rank has them whole. */
  int n = clBlockMatrixLayout(lu->A).n;
  int64_t count = n;
  lu->x = txAllocate(error, "clBlockPluSolve", (size_t)n, sizeof *lu->x, "a solution");
  if (!lu->x)
    return TEXLA_OUT_OF_MEMORY;
  if (lu->rhs) {
    TRY(clMatrixMarketReadVector(&lu->b, &count, lu->rhs, error));
    if (count != n)
      return txFail(error, TEXLA_BAD_SHAPE, "clBlockPluSolve",
                    "%s has %lld elements, but the matrix %d rows", lu->rhs, (long long)count, n);
    return TEXLA_OK;
  }
  lu->b = txAllocate(error, "clBlockPluSolve", (size_t)n, sizeof *lu->b, "a right-hand side");
  if (!lu->b)
    return TEXLA_OUT_OF_MEMORY;
  /* No multiple of a column sum or of a row of A, and no element that is 0. */
  for (int i = 0; i < n; i++)
    lu->b[i] = 1 + 0.5 * sin((double)i);
  return TEXLA_OK;
}

/* Several times, if wanted; the fastest is reported, the last one's factors are kept. */
static clStatus factor(Lu *lu) {
  static const clBlockPivoting pivoting[] = {TEXLA_BLOCK_PIVOT_PARTIAL, TEXLA_BLOCK_PIVOT_INSIDE};
  clBlockPluOptions options = {.pivoting = pivoting[lu->pivoting],
                               .no_look_ahead = lu->no_look_ahead};
  clStatus status = TEXLA_OK;
  for (int64_t run = 0; run < lu->runs && status >= 0; run++) {
    /* The factors of the run before go first: there is no memory for two. */
    clBlockPluReport report;
    clBlockPluDestroy(lu->plu);
    lu->plu = NULL;
    status = clBlockPluCreate(&lu->plu, lu->A, &options, &report);
    if (status >= 0 && (run == 0 || report.seconds < lu->factored.seconds))
      lu->factored = report;
  }
  return status;
}

/* A singular matrix has factors (information), which the solution then refuses. */
static clStatus compute(Lu *lu, clError *error) {
  TRY(txMpiTake(error, lu->cluster, choosePlan(lu)));
  TRY(txMpiTake(error, lu->cluster, makeMatrix(lu)));
  clStatus status = txMpiTake(error, lu->cluster, factor(lu));
  if (status < 0)
    return status;
  /* A file that one rank cannot read ends all. */
  TRY(clClusterAgree(lu->cluster, makeRightSide(lu, error), error));
  status = clBlockPluSolve(lu->plu, lu->x, lu->b, &lu->solved);
  return txMpiTake(error, lu->cluster, status);
}

/* Four lines: what, how fast, HPL's measure of the error, and the residual. */
static void printText(const Lu *lu) {
  clBlockLayout l = clBlockMatrixLayout(lu->A);
  printf("P A = L U of %s, %d x %d, blocks of %d on %d x %d ranks\n", lu->what, l.n, l.n, l.block,
         l.grid_rows, l.grid_cols);
  printf("factors  %.4f s, %.2f GFLOP/s, %.1f %% of the time in MPI\n", lu->factored.seconds,
         lu->factored.gflops, 100 * lu->factored.communication);
  printf("HPL      %.3g in single, %.3g after %d refinements in double (below 16 passes)\n",
         lu->solved.hpl_single, lu->solved.hpl, lu->solved.iterations);
  printf("residual ||b - A x|| / ||b|| = %.3g, backward error %.3g\n", lu->solved.residual,
         lu->solved.backward_error);
}

/* A number of each rank. */
static void writeRanks(const Lu *lu, txJson *json, const char *key, const double *value) {
  txJsonArray(json, key);
  for (int r = 0; r < clClusterSize(lu->cluster); r++)
    txJsonInteger(json, NULL, (int64_t)value[r]);
  txJsonClose(json);
}

/* One object; HPL's residuals are those of its benchmark, in units of rounding, for single
 * precision and for the refined x. */
static void printJson(const Lu *lu, clStatus status, const double *received,
                      const double *predicted) {
  static const char *const pivoting[] = {"partial", "inside"};
  clBlockLayout l = clBlockMatrixLayout(lu->A);
  const char *end = "converged";
  if (status)
    end = "not_converged";
  txJson json;
  txJsonStart(&json, stdout);
  txJsonObject(&json, NULL);
  txJsonString(&json, "command", "lu");
  txJsonString(&json, "matrix", lu->what);
  txJsonInteger(&json, "n", l.n);
  txJsonInteger(&json, "block", l.block);
  txJsonInteger(&json, "grid_rows", l.grid_rows);
  txJsonInteger(&json, "grid_cols", l.grid_cols);
  txJsonInteger(&json, "ranks", clClusterSize(lu->cluster));
  txJsonInteger(&json, "processors", clClusterProcessors(lu->cluster));
  txJsonString(&json, "device", clContextInspect(clClusterContext(lu->cluster))->renderer);
  txJsonString(&json, "pivoting", pivoting[lu->pivoting]);
  txJsonNumber(&json, "seconds", lu->factored.seconds);
  txJsonNumber(&json, "gflops", lu->factored.gflops);
  txJsonNumber(&json, "communication", lu->factored.communication);
  writeRanks(lu, &json, "received_bytes", received);
  writeRanks(lu, &json, "predicted_bytes", predicted);
  txJsonNumber(&json, "hpl_single", lu->solved.hpl_single);
  txJsonNumber(&json, "hpl", lu->solved.hpl);
  txJsonInteger(&json, "refinements", lu->solved.iterations);
  txJsonNumber(&json, "residual", lu->solved.residual);
  txJsonNumber(&json, "backward_error", lu->solved.backward_error);
  txJsonString(&json, "status", end);
  txJsonClose(&json);
}

/* On rank 0, with what each rank has received beside what the formula of docs/cluster.md
 * predicts. */
static clStatus print(const Lu *lu, clStatus status, clError *error) {
  int ranks = clClusterSize(lu->cluster), root = clClusterRank(lu->cluster) == 0;
  double mine[2] = {(double)lu->factored.received, (double)lu->factored.predicted};
  double *all = txAllocate(error, "texla-mpi", 2 * (size_t)ranks, sizeof *all, "a report");
  clStatus failed = txMpiAgreeOnMemory(lu->cluster, all, error);
  if (failed == TEXLA_OK) {
    /* What was received, of all ranks, and behind it what was predicted. */
    for (int k = 0; k < 2; k++)
      MPI_Gather(&mine[k], 1, MPI_DOUBLE, all + k * ranks, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (root && lu->json)
      printJson(lu, status, all, all + ranks);
    else if (root && !lu->common.quiet)
      printText(lu);
  }
  free(all);
  return failed;
}

/* Rank 0 writes x, which it has as all others do; what fails there is what all end with. */
static clStatus writeSolution(const Lu *lu, clError *error) {
  clStatus status = TEXLA_OK;
  if (lu->out && clClusterRank(lu->cluster) == 0)
    status = clMatrixMarketWriteVector(lu->out, lu->x, clBlockMatrixLayout(lu->A).n, "texla-mpi lu",
                                       error);
  return clClusterAgree(lu->cluster, status, error);
}

/* What a run leaves behind, where it has a solution. */
static clStatus report(const Lu *lu, clStatus status, clError *error) {
  TRY(print(lu, status, error));
  return writeSolution(lu, error);
}

/* One way in and one way out: whatever has been made goes, whatever has failed. */
static int run(Lu *lu) {
  clError error = {0};
  if (txMpiOpen(&lu->cluster, &lu->program))
    return TX_EXIT_BAD;
  lu->plan = (txPluPlan){(int)lu->block, lu->grid[0], lu->grid[1]};
  clStatus status = txMpiCheckOutput(lu->cluster, lu->out, &error);
  if (status == TEXLA_OK)
    status = compute(lu, &error);
  clStatus printed = status;
  if (status >= 0)
    printed = report(lu, status, &error);
  int result = txMpiResult(&lu->program, lu->cluster, status, printed, &error);
  clBlockPluDestroy(lu->plu);
  clBlockMatrixDestroy(lu->A);
  free(lu->x);
  free(lu->b);
  clClusterDestroy(lu->cluster);
  return result;
}

/* A matrix of no rows is refused before MPI has set anything up. */
int txMpiLuMain(int argc, char **argv) {
  static const char *const pivoting[] = {"partial", "inside", NULL};
  Lu lu = {.seed = 1, .runs = 1};
  const txOption options[] = {
      {"grid", TX_OPTION_SIZE, lu.grid, "PxQ",
       "process grid: rows x columns; default: from 2048 rows on, what a model takes for the "
       "fastest, else as square as the ranks allow"},
      {"block", TX_OPTION_INTEGER, &lu.block, "N",
       "rows and columns of a block; default: 128 to 512, n / 4 on one rank, n / 32 on several", 1,
       16384},
      {"pivoting", TX_OPTION_CHOICE, &lu.pivoting, NULL,
       "among all rows on all ranks (default), or inside of the diagonal block, as the white paper "
       "has it",
       .choices = pivoting},
      {"no-look-ahead", TX_OPTION_FLAG, &lu.no_look_ahead, NULL,
       "factor a panel only when the update is done"},
      {"runs", TX_OPTION_INTEGER, &lu.runs, "N",
       "factor so many times and report the fastest; the first one compiles programs (default 1)",
       1, 1000},
      {"seed", TX_OPTION_INTEGER, &lu.seed, "N", "of the random matrix", 0, 9e15},
      {"rhs", TX_OPTION_TEXT, &lu.rhs, "FILE", "right-hand side, a Matrix Market vector"},
      {"out", TX_OPTION_TEXT, &lu.out, "FILE",
       "write the solution, gathered, as a Matrix Market vector"},
      {"json", TX_OPTION_FLAG, &lu.json, NULL, "report as JSON"},
      {0}};
  lu.program = (txProgram){
      .name = "texla-mpi lu",
      .arguments = "N|A.mtx",
      .least = 1,
      .most = 1,
      .summary =
          "Factors a dense matrix in blocks over a grid of ranks and solves a system with it, "
          "refined to double accuracy.",
      .options = options,
      .common = &lu.common,
      .notes = notes};
  int status;
  if (!txMpiParse(&lu.program, &argc, argv, &status))
    return status;
  lu.what = argv[0];
  if (txMpiSize(lu.what) == 0)
    return txMpiUsage(&lu.program, "N must be at least 1");
  return run(&lu);
}
