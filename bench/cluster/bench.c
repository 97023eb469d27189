/* texla-mpi bench: the white paper's tables, PLU beside ScaLAPACK's psgetrf on the same blocks in
 * the same run. Measurements are collective. Rank 0, the root, prints a table or writes JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli-mpi/commands.h"
#include "core/numbers.h"
#include "core/try.h"
#include "io/json.h"
#include "platform/platform.h"
#include "texla/mpi.h"

/* The command on each rank: the largest order and block of PLU, the largest grid's side. */
typedef struct Bench {
  txProgram program;
  txCommon common;
  clCluster *cluster;
  int64_t n, side, block;
  bool json, root;
  txJson out;
} Bench;

/* Above a table; JSON has an array of that name. */
static void beginTable(Bench *b, const char *name, const char *title) {
  if (b->root && b->json)
    txJsonArray(&b->out, name);
  else if (b->root)
    fputs(title, stdout);
}

static void endTable(Bench *b) {
  if (b->root && b->json)
    txJsonClose(&b->out);
}

/* ---- PLU ---- */

/* A factorization: what is asked for, the faster of two, the bytes of the rank that receives most,
 * psgetrf's seconds (0: not there). */
typedef struct Lu {
  int n, block, grid_rows, grid_cols;
  clBlockPluReport report;
  double received, peer;
} Lu;

#if TEXLA_HAVE_SCALAPACK
/* Neither library brings a header. */
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int cols);
void Cblacs_gridexit(int context);
void psgetrf_(const int *m, const int *n, float *a, const int *ia, const int *ja, const int *desc,
              int *pivots, int *info);

/* Factors this rank's array (column after column) in place. BLACS makes a grid of the first ranks,
 * row after row; the others only wait. */
static void factorByScalapack(Lu *lu, float *local, const int desc[9], int rows) {
  int blacs, own[9], info = 0, one = 1, rank;
  int *pivots = calloc((size_t)(rows + desc[4]), sizeof *pivots);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Cblacs_get(-1, 0, &blacs);
  Cblacs_gridinit(&blacs, "Row", lu->grid_rows, lu->grid_cols);
  memcpy(own, desc, sizeof own);
  /* The descriptor's second number is the grid's handle. */
  own[1] = blacs;
  bool takes_part = rank < lu->grid_rows * lu->grid_cols;
  MPI_Barrier(MPI_COMM_WORLD);
  double began = MPI_Wtime();
  if (pivots && takes_part)
    psgetrf_(&lu->n, &lu->n, local, &one, &one, own, pivots, &info);
  MPI_Barrier(MPI_COMM_WORLD);
  /* info > 0: a pivot is exactly zero. */
  if (pivots && !info)
    lu->peer = MPI_Wtime() - began;
  if (takes_part)
    Cblacs_gridexit(blacs);
  free(pivots);
}

/* The same blocks in ScaLAPACK's layout, in single precision. A leading dimension is at least 1,
 * also if a rank has no rows. */
static void measurePeer(Lu *lu, const clBlockMatrix *A) {
  clBlockLayout l = clBlockMatrixLayout(A);
  size_t count = (size_t)l.rows * (size_t)l.cols;
  int desc[9], lead = txMost(l.rows, 1);
  double *values = calloc(count + 1, sizeof *values);
  float *local = calloc(count + 1, sizeof *local);
  if (values && local) {
    clBlockMatrixDownload(A, values, lead);
    for (size_t i = 0; i < count; i++)
      local[i] = (float)values[i];
    clBlockMatrixDescriptor(A, 0, desc);
    factorByScalapack(lu, local, desc, l.rows);
  }
  free(values);
  free(local);
}
#else
static void measurePeer(Lu *lu, const clBlockMatrix *A) {
  (void)lu, (void)A;
}
#endif

/* The first of two factorizations compiles, and chooses variants. A positive status (the matrix has
 * no full rank) does not end the run. */
static clStatus measureLu(Lu *lu, clCluster *c) {
  clBlockMatrix *A = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clBlockMatrixCreate(&A, c, lu->n, lu->block, lu->grid_rows, lu->grid_cols));
  TRY_CLEANUP(clBlockMatrixRandom(A, 1));
  for (int k = 0; k < 2 && status >= 0; k++) {
    clBlockPlu *plu = NULL;
    clBlockPluReport report;
    status = clBlockPluCreate(&plu, A, NULL, &report);
    if (status >= 0 && (k == 0 || report.seconds < lu->report.seconds))
      lu->report = report;
    clBlockPluDestroy(plu);
  }
  lu->received = (double)lu->report.received;
  if (status >= 0 && clClusterSize(c) > 1)
    MPI_Allreduce(MPI_IN_PLACE, &lu->received, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (status >= 0)
    measurePeer(lu, A);
cleanup:
  clBlockMatrixDestroy(A);
  return status;
}

/* Operations are those that LINPACK counts, 2/3 n^3 + 3/2 n^2, as clBlockPluReport's rate. */
static void printLu(Bench *b, const Lu *lu) {
  double flops = 2. / 3 * pow(lu->n, 3) + 1.5 * pow(lu->n, 2);
  if (!b->json) {
    printf("%6d %6d  %2d x %-2d %9.4f %9.2f %6.1f %% %9.3f MB", lu->n, lu->block, lu->grid_rows,
           lu->grid_cols, lu->report.seconds, lu->report.gflops, 100 * lu->report.communication,
           lu->received * 1e-6);
    if (lu->peer > 0)
      printf(" %9.4f %9.2f\n", lu->peer, flops / lu->peer * 1e-9);
    else
      printf(" %9s %9s\n", "-", "-");
    return;
  }
  txJsonObject(&b->out, NULL);
  txJsonInteger(&b->out, "n", lu->n);
  txJsonInteger(&b->out, "block", lu->block);
  txJsonInteger(&b->out, "grid_rows", lu->grid_rows);
  txJsonInteger(&b->out, "grid_cols", lu->grid_cols);
  txJsonNumber(&b->out, "seconds", lu->report.seconds);
  txJsonNumber(&b->out, "gflops", lu->report.gflops);
  txJsonNumber(&b->out, "communication", lu->report.communication);
  txJsonNumber(&b->out, "received_bytes", lu->received);
  if (lu->peer > 0)
    txJsonNumber(&b->out, "psgetrf_seconds", lu->peer);
  txJsonClose(&b->out);
}

/* An order and its half and quarter, a block and its half and double, each grid of all ranks. */
static clStatus tableLu(Bench *b) {
  int ranks = clClusterSize(b->cluster);
  clStatus status = TEXLA_OK;
  beginTable(
      b, "lu",
      "P A = L U\n     n  block   grid    seconds   GFLOP/s  in MPI     received   psgetrf   "
      "GFLOP/s\n");
  for (int n = (int)b->n / 4; n <= b->n && status >= 0; n *= 2)
    for (int block = (int)b->block / 2; block <= 2 * b->block && status >= 0; block *= 2)
      for (int rows = 1; rows <= ranks && status >= 0; rows++) {
        if (ranks % rows || block > n)
          continue;
        Lu lu = {.n = n, .block = block, .grid_rows = rows, .grid_cols = ranks / rows};
        status = measureLu(&lu, b->cluster);
        if (status >= 0 && b->root)
          printLu(b, &lu);
      }
  endTable(b);
  return status;
}

/* ---- Conjugate gradients ---- */

/* A solution: the grid, the preconditioner, the second of two runs with the part of it in MPI and
 * the bytes that this rank has received. */
typedef struct Cg {
  int side;
  bool multigrid;
  int64_t iterations;
  double seconds, communication, received;
} Cg;

/* From zero, to |r| <= 1e-5 |b|. */
static clStatus solveOnce(Cg *cg, clClusterMatrix *A, clVector *x, const clVector *b) {
  clSolverOptions options = {.tolerance = 1e-5};
  clSolverReport report = {0};
  if (cg->multigrid)
    options.preconditioner = TEXLA_PRECONDITIONER_MG;
  TRY(clVectorClear(x));
  double began = txNow();
  clStatus status = clClusterSolve(A, x, b, &options, &report);
  cg->seconds = txNow() - began;
  cg->iterations = report.iterations;
  return status;
}

/* The first run compiles; traffic is counted since the cluster was made. */
static clStatus measureCg(Cg *cg, clCluster *c) {
  clClusterMatrix *A = NULL;
  clVector *x = NULL, *b = NULL;
  float *value = NULL;
  clTraffic before = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clClusterPoisson2d(&A, c, cg->side, cg->side, 0, 0));
  int64_t n = clClusterMatrixLocal(A);
  value = calloc((size_t)n + 1, sizeof *value);
  if (!value)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int64_t i = 0; i < n; i++)
    value[i] = txMpiRightSide(clClusterMatrixNumber(A, i));
  TRY_CLEANUP(clClusterMatrixCreateVector(&x, A));
  TRY_CLEANUP(clClusterMatrixCreateVector(&b, A));
  TRY_CLEANUP(clVectorUpload(b, value));
  for (int k = 0; k < 2 && status >= 0; k++) {
    before = clClusterTraffic(c);
    status = solveOnce(cg, A, x, b);
  }
  clTraffic after = clClusterTraffic(c);
  cg->communication = (after.seconds - before.seconds) / cg->seconds;
  cg->received = (double)(after.bytes - before.bytes);
cleanup:
  free(value);
  clVectorDestroy(x);
  clVectorDestroy(b);
  clClusterMatrixDestroy(A);
  return status;
}

static void printCg(Bench *b, const Cg *cg) {
  const char *precond = "none";
  if (cg->multigrid)
    precond = "mg";
  if (!b->json) {
    printf("%5d^2 %-6s %6lld %9.4f %9.3f %6.1f %% %9.3f MB\n", cg->side, precond,
           (long long)cg->iterations, cg->seconds, cg->seconds / (double)cg->iterations * 1e3,
           100 * cg->communication, cg->received * 1e-6);
    return;
  }
  txJsonObject(&b->out, NULL);
  txJsonInteger(&b->out, "side", cg->side);
  txJsonString(&b->out, "precond", precond);
  txJsonInteger(&b->out, "iterations", cg->iterations);
  txJsonNumber(&b->out, "seconds", cg->seconds);
  txJsonNumber(&b->out, "communication", cg->communication);
  txJsonNumber(&b->out, "received_bytes", cg->received);
  txJsonClose(&b->out);
}

/* Sides, each without a preconditioner and with multigrid. */
static clStatus tableCg(Bench *b) {
  clStatus status = TEXLA_OK;
  beginTable(b, "cg", "\nCG, |r| <= 1e-5 |b|   steps   seconds   ms/step  in MPI    received\n");
  for (int side = (int)b->side / 4; side <= b->side && status >= 0; side *= 2)
    for (int multigrid = 0; multigrid < 2 && status >= 0; multigrid++) {
      Cg cg = {.side = side, .multigrid = multigrid};
      status = measureCg(&cg, b->cluster);
      if (status >= 0 && b->root)
        printCg(b, &cg);
    }
  endTable(b);
  return status;
}

/* A positive status is information, which rows show. */
static clStatus measure(Bench *b) {
  const char *device = clContextInspect(clClusterContext(b->cluster))->renderer;
  int ranks = clClusterSize(b->cluster);
  if (b->root && b->json) {
    txJsonStart(&b->out, stdout);
    txJsonObject(&b->out, NULL);
    txJsonInteger(&b->out, "ranks", ranks);
    txJsonString(&b->out, "device", device);
  } else if (b->root) {
    printf("%d ranks, %s\n", ranks, device);
  }
  clStatus status = tableLu(b);
  if (status >= 0)
    status = tableCg(b);
  endTable(b);
  return status;
}

/* The command on one rank: arguments, measurements, exit status. */
static int run(int argc, char **argv) {
  Bench b = {.n = 1024, .side = 512, .block = 64};
  const txOption options[] = {
      {"n", TX_OPTION_INTEGER, &b.n, "N",
       "largest dense matrix (default 1024; a half and a quarter of it, too)", 64, 1e6},
      {"side", TX_OPTION_INTEGER, &b.side, "N",
       "points along the largest grid's sides (default 512)", 32, 1e6},
      {"block", TX_OPTION_INTEGER, &b.block, "N",
       "block size (default 64; half of it and twice it, too)", 8, 8192},
      {"json", TX_OPTION_FLAG, &b.json, NULL, "report as JSON"},
      {0}};
  b.program = (txProgram){.name = "texla-mpi bench",
                          .summary = "Measures PLU over block sizes and process grids, beside "
                                     "ScaLAPACK's psgetrf (if it is built in), and conjugate "
                                     "gradients over grids.",
                          .options = options,
                          .common = &b.common};
  int status;
  if (!txMpiParse(&b.program, &argc, argv, &status))
    return status;
  /* The message is printed already. */
  if (txMpiOpen(&b.cluster, &b.program))
    return TX_EXIT_BAD;
  b.root = clClusterRank(b.cluster) == 0;
  clStatus done = measure(&b);
  if (done > 0)
    done = TEXLA_OK;
  int result = txMpiResult(&b.program, b.cluster, done, TEXLA_OK, clClusterError(b.cluster));
  clClusterDestroy(b.cluster);
  return result;
}

/* txMpiRun begins MPI and ends it, on all ranks, whatever happens in between. */
int main(int argc, char **argv) {
  return txMpiRun("texla-mpi bench", run, argc, argv);
}
