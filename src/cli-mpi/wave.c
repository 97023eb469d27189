/* texla-mpi wave: the explicit wave equation over all ranks, by clClusterWave: each has a
 * rectangle of the domain with some of its neighbours' points around it, which are exchanged
 * every few steps. */
#include <math.h>
#include <stdlib.h>

#include "cli-mpi/commands.h"
#include "core/allocate.h"
#include "core/error.h"
#include "core/try.h"
#include "core/numbers.h"
#include "io/json.h"
#include "texla/io.h"
#include "platform/platform.h"

/* Below the options in --help. */
static const char notes[] = "Drops at fixed places start it. The picture is the same, bit for bit, "
                            "on any number of ranks.\n"
                            "\n"
                            "Examples:\n"
                            "  mpirun -np 4 texla-mpi wave 1024x768 --steps 400 --out wave.png\n"
                            "  mpirun -np 2 texla-mpi wave 80000x64 --steps 100 --json\n";

/* One run of the command, on each rank. */
typedef struct Wave {
  txProgram program;
  txCommon common;
  clCluster *cluster;
  /* NULL: not given */
  const char *out, *raw;
  /* points, and ranks, along x and y; a place in the list of edges */
  int size[2], grid[2], edge;
  int64_t steps;
  bool json;
  clClusterWave *wave;
  /* of the steps */
  clTraffic traffic;
  double seconds;
  /* all heights, row after row from below; on rank 0 */
  float *all;
} Wave;

/* Three drops, in parts of the shorter side. */
static float drops(void *user, int64_t i, int64_t j) {
  static const double drop[][4] = {
      {0.3, 0.4, 0.05, 1}, {0.7, 0.6, 0.03, -0.8}, {0.5, 0.2, 0.02, 0.6}};
  /* A formula of the place, so that each rank makes its own part without the others. */
  const Wave *w = user;
  double shorter = txLeast(w->size[0], w->size[1]), u = 0;
  for (int k = 0; k < 3; k++) {
    double dx = ((double)i - drop[k][0] * w->size[0]) / (drop[k][2] * shorter);
    double dy = ((double)j - drop[k][1] * w->size[1]) / (drop[k][2] * shorter);
    u += drop[k][3] * exp(-dx * dx - dy * dy);
  }
  return (float)u;
}

/* Only the steps are timed, between barriers, so that all ranks begin together. */
static clStatus compute(Wave *w, clError *error) {
  static const clWaveEdge edges[] = {TEXLA_WAVE_EDGE_REFLECTING, TEXLA_WAVE_EDGE_FIXED};
  const clWaveEdge edge = edges[w->edge];
  clWaveOptions options = {.nx = w->size[0], .ny = w->size[1], .edge = {edge, edge, edge, edge}};
  clStatus status = clClusterWaveCreate(&w->wave, w->cluster, &options, w->grid[0], w->grid[1]);
  TRY(txMpiTake(error, w->cluster, status));
  TRY(txMpiTake(error, w->cluster, clClusterWaveUpload(w->wave, drops, w)));
  clTraffic before = clClusterTraffic(w->cluster);
  MPI_Barrier(MPI_COMM_WORLD);
  double began = txNow();
  status = txMpiTake(error, w->cluster, clClusterWaveStep(w->wave, w->steps));
  clContextSynchronize(clClusterContext(w->cluster));
  MPI_Barrier(MPI_COMM_WORLD);
  w->seconds = txNow() - began;
  /* What the steps have sent, without the setup. */
  clTraffic after = clClusterTraffic(w->cluster);
  w->traffic = (clTraffic){after.bytes - before.bytes, after.messages - before.messages,
                           after.seconds - before.seconds};
  return status;
}

/* The colours of heights from -1/2 to 1/2, about what drops leave of themselves. */
static clStatus writePicture(const Wave *w, clError *error) {
  uint8_t *rgb =
      txAllocate(error, "texla-mpi", 3 * (size_t)w->size[0] * (size_t)w->size[1], 1, "a picture");
  if (!rgb)
    return TEXLA_OUT_OF_MEMORY;
  clColormapImage(rgb, TEXLA_COLORMAP_DIVERGING, w->all, w->size[0], w->size[1], -0.5f, 0.5f);
  clStatus status = clPngWrite(w->out, rgb, w->size[0], w->size[1], error);
  free(rgb);
  return status;
}

/* For programs: four bytes a height, as the processor has them. */
static clStatus writeRaw(const Wave *w, clError *error) {
  size_t count = (size_t)w->size[0] * (size_t)w->size[1];
  FILE *file = fopen(w->raw, "wb");
  bool good = file && fwrite(w->all, sizeof *w->all, count, file) == count;
  good = file && fclose(file) == 0 && good;
  if (!good)
    return txFail(error, TEXLA_IO_ERROR, "texla-mpi", "cannot write %s", w->raw);
  return TEXLA_OK;
}

/* Either, both or none may be asked for. */
static clStatus writeFiles(const Wave *w, clError *error) {
  if (w->out)
    TRY(writePicture(w, error));
  if (w->raw)
    TRY(writeRaw(w, error));
  return TEXLA_OK;
}

/* Rank 0 gathers and writes; what fails there is what all end with. `all` is freed by `run`. */
static clStatus writeResult(Wave *w, clError *error) {
  bool root = clClusterRank(w->cluster) == 0;
  clStatus status = TEXLA_OK;
  if (!w->out && !w->raw)
    return TEXLA_OK;
  if (root)
    w->all = txAllocate(error, "texla-mpi", (size_t)w->size[0] * (size_t)w->size[1], sizeof *w->all,
                        "a picture");
  TRY(txMpiAgreeOnMemory(w->cluster, w->all || !root, error));
  TRY(txMpiTake(error, w->cluster, clClusterWaveGather(w->wave, w->all)));
  if (root)
    status = writeFiles(w, error);
  return clClusterAgree(w->cluster, status, error);
}

/* As text or JSON; "points a second" counts each height in each step. */
static void print(const Wave *w) {
  double points = (double)w->size[0] * w->size[1] * (double)w->steps;
  if (!w->json && w->common.quiet)
    return;
  if (!w->json) {
    printf("wave on %d x %d points, %d ranks: %lld steps in %.4f s, %.1f million points a second, "
           "%.1f %% in MPI\n",
           w->size[0], w->size[1], clClusterSize(w->cluster), (long long)w->steps, w->seconds,
           points / w->seconds * 1e-6, 100 * w->traffic.seconds / w->seconds);
    return;
  }
  txJson json;
  txJsonStart(&json, stdout);
  txJsonObject(&json, NULL);
  txJsonString(&json, "command", "wave");
  txJsonInteger(&json, "nx", w->size[0]);
  txJsonInteger(&json, "ny", w->size[1]);
  txJsonInteger(&json, "ranks", clClusterSize(w->cluster));
  txJsonString(&json, "device", clContextInspect(clClusterContext(w->cluster))->renderer);
  txJsonInteger(&json, "steps", w->steps);
  txJsonNumber(&json, "seconds", w->seconds);
  txJsonNumber(&json, "communication", w->traffic.seconds / w->seconds);
  txJsonInteger(&json, "received_bytes", w->traffic.bytes);
  txJsonClose(&json);
}

/* Files that cannot be written are refused before the steps, which may take long. */
static clStatus produce(Wave *w, clError *error) {
  TRY(txMpiCheckOutput(w->cluster, w->out, error));
  TRY(txMpiCheckOutput(w->cluster, w->raw, error));
  TRY(compute(w, error));
  TRY(writeResult(w, error));
  if (clClusterRank(w->cluster) == 0)
    print(w);
  return TEXLA_OK;
}

/* Opens the ranks' devices, and frees what was made, however far it came. */
static int run(Wave *w) {
  clError error = {0};
  if (txMpiOpen(&w->cluster, &w->program))
    return TX_EXIT_BAD;
  clStatus status = produce(w, &error);
  int result = txMpiResult(&w->program, w->cluster, status, status, &error);
  free(w->all);
  clClusterWaveDestroy(w->wave);
  clClusterDestroy(w->cluster);
  return result;
}

/* Any size: each rank needs a texture for its own part only. */
int txMpiWaveMain(int argc, char **argv) {
  static const char *const edge[] = {"reflecting", "fixed", NULL};
  Wave w = {.steps = 200};
  const txOption options[] = {
      {"steps", TX_OPTION_INTEGER, &w.steps, "N", "time steps (default 200)", 0, 1e12},
      {"edge", TX_OPTION_CHOICE, &w.edge, NULL, "of the domain (default reflecting)",
       .choices = edge},
      {"grid", TX_OPTION_SIZE, w.grid, "PXxPY",
       "parts along x and y; default: strips across the longer side"},
      {"out", TX_OPTION_TEXT, &w.out, "FILE", "write a picture of the heights (PNG)"},
      {"raw", TX_OPTION_TEXT, &w.raw, "FILE",
       "write the heights, row after row from below, as floats"},
      {"json", TX_OPTION_FLAG, &w.json, NULL, "report as JSON"},
      {0}};
  w.program = (txProgram){.name = "texla-mpi wave",
                          .arguments = "NXxNY",
                          .least = 1,
                          .most = 1,
                          .summary = "Runs the explicit wave equation over all ranks, on domains "
                                     "larger than one texture, too.",
                          .options = options,
                          .common = &w.common,
                          .notes = notes};
  int status;
  if (!txMpiParse(&w.program, &argc, argv, &status))
    return status;
  if (!txMpiGrid(argv[0], w.size))
    return txMpiUsage(&w.program, "the size must be N or NXxNY");
  return run(&w);
}
