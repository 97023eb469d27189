/* texla-mpi bench: the white paper's tables, beside ScaLAPACK and hypre in the same run, and a
 * model for more ranks. */
#include <math.h>

#include "cluster/bench.h"
#include "cli-mpi/commands.h"

/* The state of the command on each rank. Rank 0, the root, prints a table or writes JSON. */
typedef struct Bench {
  txProgram program;
  txCommon common;
  clCluster *cluster;
  /* the largest order and block of PLU, the largest grid's side */
  int64_t n, side, block;
  bool json, root;
  txModel model;
  txJson out;
} Bench;

/* A number for JSON, where it is known; null otherwise. */
static void writeKnown(Bench *b, const char *key, bool known, double value) {
  if (!known)
    value = (double)NAN;
  txJsonNumber(&b->out, key, value);
}

/* A factorization beside psgetrf and the model. Operations are those that LINPACK counts, 2/3 n^3 +
 * 3/2 n^2, as clBlockPluReport's rate is of them. */
static void printLu(Bench *b, const txLuRun *r) {
  double flops = 2. / 3 * pow(r->n, 3) + 1.5 * pow(r->n, 2);
  const txPluPlan plan = {r->block, r->grid_rows, r->grid_cols};
  double predicted = txPluSeconds(&b->model.lu, r->n, &plan);
  if (!b->root)
    return;
  if (!b->json) {
    printf("%6d %6d  %2d x %-2d %9.4f %9.2f %6.1f %% %9.3f MB", r->n, r->block, r->grid_rows,
           r->grid_cols, r->report.seconds, r->report.gflops, 100 * r->report.communication,
           r->received * 1e-6);
    if (r->peer > 0)
      printf(" %9.4f %9.2f", r->peer, flops / r->peer * 1e-9);
    else
      printf(" %9s %9s", "-", "-");
    printf(" %9.4f\n", predicted);
    return;
  }
  txJsonObject(&b->out, NULL);
  txJsonInteger(&b->out, "n", r->n);
  txJsonInteger(&b->out, "block", r->block);
  txJsonInteger(&b->out, "grid_rows", r->grid_rows);
  txJsonInteger(&b->out, "grid_cols", r->grid_cols);
  txJsonNumber(&b->out, "seconds", r->report.seconds);
  txJsonNumber(&b->out, "gflops", r->report.gflops);
  txJsonNumber(&b->out, "communication", r->report.communication);
  txJsonNumber(&b->out, "received_bytes", r->received);
  writeKnown(b, "psgetrf_seconds", r->peer > 0, r->peer);
  txJsonNumber(&b->out, "model_seconds", predicted);
  txJsonClose(&b->out);
}

/* Above a table; JSON has keys instead. */
static void title(const Bench *b, const char *text) {
  if (b->root && !b->json)
    fputs(text, stdout);
}

/* PLU on all ranks: an order and its half and quarter, a block and its half and double, each
 * grid. */
static clStatus tableLu(Bench *b) {
  int ranks = clClusterSize(b->cluster);
  clStatus status = TEXLA_OK;
  title(b, "P A = L U\n     n  block   grid    seconds   GFLOP/s  in MPI     received   psgetrf   "
           "GFLOP/s     model\n");
  if (b->json && b->root)
    txJsonArray(&b->out, "lu");
  for (int n = (int)b->n / 4; n <= b->n && status >= 0; n *= 2)
    for (int block = (int)b->block / 2; block <= 2 * b->block && status >= 0; block *= 2)
      for (int rows = 1; rows <= ranks && status >= 0; rows++) {
        if (ranks % rows || block > n)
          continue;
        txLuRun run = {.n = n, .block = block, .grid_rows = rows, .grid_cols = ranks / rows};
        status = txMeasureLu(&run, b->cluster, true);
        if (status >= 0)
          printLu(b, &run);
      }
  if (b->json && b->root)
    txJsonClose(&b->out);
  return status;
}

/* A solution beside hypre's and the model's, which is of iterations without multigrid. */
static void printCg(Bench *b, const txCgRun *r) {
  const char *precond = "none";
  if (r->multigrid)
    precond = "mg";
  double predicted = txModelCg(&b->model, r->nx, r->ny, clClusterSize(b->cluster), b->model.share) *
                     (double)r->iterations;
  if (!b->root)
    return;
  if (!b->json) {
    printf("%5d^2 %-6s %6lld %9.4f %9.3f %6.1f %% %9.3f MB", r->nx, precond,
           (long long)r->iterations, r->seconds, r->seconds / (double)r->iterations * 1e3,
           100 * r->communication, r->received * 1e-6);
    if (r->peer_seconds > 0)
      printf(" %6d %9.4f", r->peer_iterations, r->peer_seconds);
    else
      printf(" %6s %9s", "-", "-");
    if (!r->multigrid)
      printf(" %9.4f", predicted);
    printf("\n");
    return;
  }
  txJsonObject(&b->out, NULL);
  txJsonInteger(&b->out, "side", r->nx);
  txJsonString(&b->out, "precond", precond);
  txJsonInteger(&b->out, "iterations", r->iterations);
  txJsonNumber(&b->out, "seconds", r->seconds);
  txJsonNumber(&b->out, "communication", r->communication);
  txJsonNumber(&b->out, "received_bytes", r->received);
  writeKnown(b, "hypre_seconds", r->peer_seconds > 0, r->peer_seconds);
  txJsonInteger(&b->out, "hypre_iterations", r->peer_iterations);
  writeKnown(b, "model_seconds", !r->multigrid, predicted);
  txJsonClose(&b->out);
}

/* Sides, each without a preconditioner and with multigrid. */
static clStatus tableCg(Bench *b) {
  clStatus status = TEXLA_OK;
  title(b, "\nCG, |r| <= 1e-5 |b|   steps   seconds   ms/step  in MPI    received  hypre   seconds "
           "    model\n");
  if (b->json && b->root)
    txJsonArray(&b->out, "cg");
  for (int side = (int)b->side / 4; side <= b->side && status >= 0; side *= 2)
    for (int multigrid = 0; multigrid < 2 && status >= 0; multigrid++) {
      txCgRun run = {.nx = side, .ny = side, .multigrid = multigrid};
      status = txMeasureCg(&run, b->cluster, true);
      if (status >= 0)
        printCg(b, &run);
    }
  if (b->json && b->root)
    txJsonClose(&b->out);
  return status;
}

/* What the model takes, with a name for JSON and a unit for the text. */
typedef struct Cost {
  const char *name, *what, *unit;
  double seconds, in_unit;
} Cost;

/* What has been measured of this machine. */
static void printCosts(Bench *b) {
  const txModel *m = &b->model;
  const txPluCosts *lu = &m->lu_alone;
  const Cost cost[] = {
      {"lu_pass_seconds", "PLU: a pass", "us", lu->pass, 1e6},
      {"lu_entry_seconds", "an entry of an update", "ns", lu->entry, 1e9},
      {"lu_multiply_seconds", "a multiplication of it", "ps", lu->multiply, 1e12},
      {"lu_fetch_seconds", "a byte from the device", "ns", lu->fetch, 1e9},
      {"lu_send_seconds", "a byte to the device", "ns", lu->send, 1e9},
      {"lu_column_seconds", "a column of a panel", "us", lu->column, 1e6},
      {"lu_eliminate_seconds", "a multiplication of it", "ps", lu->eliminate, 1e12},
      {"lu_meeting_seconds", "a pivot's meeting of two ranks", "us", lu->meeting, 1e6},
      {"lu_byte_seconds", "a byte between them", "ns", lu->byte, 1e9},
      {"message_seconds", "CG: a message", "us", m->latency, 1e6},
      {"message_byte_seconds", "a byte of it", "ns", m->per_byte, 1e9},
      {"pass_seconds", "a pass with a transfer", "us", m->pass, 1e6},
      {"transfer_byte_seconds", "a byte to the device and back", "ns", m->transfer, 1e9},
      {"cg_iteration_seconds", "an iteration", "us", m->cg_iteration, 1e6},
      {"cg_point_seconds", "a point", "ns", m->cg_point, 1e9}};
  for (int k = 0; k < (int)(sizeof cost / sizeof *cost); k++) {
    if (b->json)
      txJsonNumber(&b->out, cost[k].name, cost[k].seconds);
    else
      printf("  %-32s %10.4g %s\n", cost[k].what, cost[k].seconds * cost[k].in_unit, cost[k].unit);
  }
}

/* What the model says of machines with a device for each rank. Efficiency is the time of one rank
 * over that of all together. */
static void tableModel(Bench *b) {
  /* A system that needs many devices for its memory, and a grid that needs them for its time. */
  enum { ROWS = 32768, SIDE = 16384 };
  const txModel *m = &b->model;
  double one = 0, iteration = txModelCg(m, SIDE, SIDE, 1, 1);
  if (!b->root)
    return;
  title(b, "\nModel, a device for each rank\n");
  printCosts(b);
  title(b, "  ranks   PLU n = 32768   block   grid   efficiency   CG iteration, 16384^2   "
           "efficiency\n");
  if (b->json)
    txJsonArray(&b->out, "model");
  for (int ranks = 1; ranks <= 1024; ranks *= 2) {
    txPluPlan plan = {0};
    txPluPlanChoose(&plan, &m->lu_alone, ROWS, ranks);
    double lu = txPluSeconds(&m->lu_alone, ROWS, &plan), cg = txModelCg(m, SIDE, SIDE, ranks, 1);
    if (ranks == 1)
      one = lu;
    if (!b->json) {
      printf("  %5d   %11.3f s   %5d %3dx%-3d  %8.1f %%   %18.4f ms   %8.1f %%\n", ranks, lu,
             plan.block, plan.grid_rows, plan.grid_cols, 100 * one / lu / ranks, cg * 1e3,
             100 * iteration / cg / ranks);
      continue;
    }
    txJsonObject(&b->out, NULL);
    txJsonInteger(&b->out, "ranks", ranks);
    txJsonInteger(&b->out, "lu_block", plan.block);
    txJsonInteger(&b->out, "lu_grid_rows", plan.grid_rows);
    txJsonInteger(&b->out, "lu_grid_cols", plan.grid_cols);
    txJsonNumber(&b->out, "lu_seconds", lu);
    txJsonNumber(&b->out, "cg_iteration_seconds", cg);
    txJsonClose(&b->out);
  }
  if (b->json)
    txJsonClose(&b->out);
}

/* The model first: its figures stand beside those of the tables. A positive status is information,
 * which rows tell. */
static clStatus measure(Bench *b) {
  if (b->root && b->json) {
    txJsonStart(&b->out, stdout);
    txJsonObject(&b->out, NULL);
    txJsonInteger(&b->out, "ranks", clClusterSize(b->cluster));
    txJsonString(&b->out, "device", clContextInspect(clClusterContext(b->cluster))->renderer);
  } else if (b->root) {
    printf("%d ranks, %s\n", clClusterSize(b->cluster),
           clContextInspect(clClusterContext(b->cluster))->renderer);
  }
  clStatus status = txModelMeasure(&b->model, b->cluster, (int)b->side);
  if (status >= 0)
    status = tableLu(b);
  if (status >= 0)
    status = tableCg(b);
  if (status >= 0)
    tableModel(b);
  if (b->root && b->json && status >= 0)
    txJsonClose(&b->out);
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
  b.program = (txProgram){
      .name = "texla-mpi bench",
      .summary =
          "Measures PLU over block sizes and process grids and conjugate gradients over grids, "
          "beside ScaLAPACK's psgetrf and hypre where they are built in, and fits a model for more "
          "ranks.",
      .options = options,
      .common = &b.common};
  int status;
  if (!txMpiParse(&b.program, &argc, argv, &status))
    return status;
  /* It has told why. */
  if (txMpiOpen(&b.cluster, &b.program))
    return TX_EXIT_BAD;
  b.root = clClusterRank(b.cluster) == 0;
  /* All ranks measure; what one fails in, all end with. */
  clStatus done = measure(&b);
  /* Information is in the rows. */
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
