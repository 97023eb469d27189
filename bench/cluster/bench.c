/* texla-mpi bench: the white paper's tables, beside ScaLAPACK and hypre in the same run, and a
 * model for more ranks. */
#include <math.h>

#include "cluster/bench.h"
#include "cli-mpi/commands.h"

typedef struct Bench {
  txProgram program;
  txCommon common;
  clCluster *cluster;
  int64_t n, side, block;
  bool json, root;
  txModel model;
  txJson out;
} Bench;

static void printLu(Bench *b, const txLuRun *r) {
  double flops = 2. / 3 * pow(r->n, 3) + 1.5 * pow(r->n, 2), predicted = 0;
  predicted = txModelLu(&b->model, r->n, r->grid_rows, r->grid_cols, b->model.share);
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
    if (r->block == b->model.block)
      printf(" %9.4f", predicted);
    printf("\n");
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
  txJsonNumber(&b->out, "psgetrf_seconds", r->peer > 0 ? r->peer : (double)NAN);
  txJsonNumber(&b->out, "model_seconds", r->block == b->model.block ? predicted : (double)NAN);
  txJsonClose(&b->out);
}

static void title(const Bench *b, const char *text) {
  if (b->root && !b->json)
    fputs(text, stdout);
}

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

static void printCg(Bench *b, const txCgRun *r) {
  double predicted = txModelCg(&b->model, r->nx, r->ny, clClusterSize(b->cluster), b->model.share) *
                     (double)r->iterations;
  if (!b->root)
    return;
  if (!b->json) {
    printf("%5d^2 %-6s %6lld %9.4f %9.3f %6.1f %% %9.3f MB", r->nx, r->multigrid ? "mg" : "none",
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
  txJsonString(&b->out, "precond", r->multigrid ? "mg" : "none");
  txJsonInteger(&b->out, "iterations", r->iterations);
  txJsonNumber(&b->out, "seconds", r->seconds);
  txJsonNumber(&b->out, "communication", r->communication);
  txJsonNumber(&b->out, "received_bytes", r->received);
  txJsonNumber(&b->out, "hypre_seconds", r->peer_seconds > 0 ? r->peer_seconds : (double)NAN);
  txJsonInteger(&b->out, "hypre_iterations", r->peer_iterations);
  txJsonNumber(&b->out, "model_seconds", r->multigrid ? (double)NAN : predicted);
  txJsonClose(&b->out);
}

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

/* What the model says of machines with a device for each rank. */
static void tableModel(Bench *b) {
  const txModel *m = &b->model;
  if (!b->root)
    return;
  if (!b->json) {
    printf("\nModel: a message %.2f us and %.3f ns a byte; a pass with a transfer %.1f us, and "
           "%.3f ns a byte to the "
           "device and back;\nPLU %.1f us a step, %.4g ns a n^3; CG %.1f us an iteration, %.4g ns "
           "a point. A device "
           "for each rank:\n",
           m->latency * 1e6, m->per_byte * 1e9, m->pass * 1e6, m->transfer * 1e9, m->lu_step * 1e6,
           m->lu_cube * 1e9, m->cg_iteration * 1e6, m->cg_point * 1e9);
    printf("  ranks   PLU n = 32768   efficiency   CG iteration, 16384^2   efficiency\n");
  } else {
    const struct {
      const char *name;
      double seconds;
    } cost[] = {{"message_seconds", m->latency},
                {"message_byte_seconds", m->per_byte},
                {"pass_seconds", m->pass},
                {"transfer_byte_seconds", m->transfer},
                {"lu_step_seconds", m->lu_step},
                {"lu_cube_seconds", m->lu_cube},
                {"cg_iteration_seconds", m->cg_iteration},
                {"cg_point_seconds", m->cg_point}};
    for (int k = 0; k < (int)(sizeof cost / sizeof *cost); k++)
      txJsonNumber(&b->out, cost[k].name, cost[k].seconds);
    txJsonArray(&b->out, "model");
  }
  double one = txModelLu(m, 32768, 1, 1, 1), iteration = txModelCg(m, 16384, 16384, 1, 1);
  for (int ranks = 1, rows = 1; ranks <= 1024; ranks *= 2) {
    /* The squarest grid whose sides are powers of two. */
    if (ranks >= 4 * rows * rows)
      rows *= 2;
    double lu = txModelLu(m, 32768, rows, ranks / rows, 1),
           cg = txModelCg(m, 16384, 16384, ranks, 1);
    if (!b->json) {
      printf("  %5d   %11.3f s   %8.1f %%   %18.4f ms   %8.1f %%\n", ranks, lu,
             100 * one / lu / ranks, cg * 1e3, 100 * iteration / cg / ranks);
      continue;
    }
    txJsonObject(&b->out, NULL);
    txJsonInteger(&b->out, "ranks", ranks);
    txJsonNumber(&b->out, "lu_seconds", lu);
    txJsonNumber(&b->out, "cg_iteration_seconds", cg);
    txJsonClose(&b->out);
  }
  if (b->json)
    txJsonClose(&b->out);
}

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
  clStatus status = txModelMeasure(&b->model, b->cluster, (int)b->n, (int)b->side, (int)b->block);
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
          "beside "
          "ScaLAPACK's psgetrf and hypre where they are built in, and fits a model for more ranks.",
      .options = options,
      .common = &b.common};
  int status;
  if (!txMpiParse(&b.program, &argc, argv, &status))
    return status;
  if (txMpiOpen(&b.cluster, &b.program))
    return TX_EXIT_BAD;
  b.root = clClusterRank(b.cluster) == 0;
  clStatus done = measure(&b);
  /* Information is in the rows. */
  if (done > 0)
    done = TEXLA_OK;
  int result = txMpiResult(&b.program, b.cluster, done, TEXLA_OK, clClusterError(b.cluster));
  clClusterDestroy(b.cluster);
  return result;
}

int main(int argc, char **argv) {
  return txMpiRun("texla-mpi bench", run, argc, argv);
}
