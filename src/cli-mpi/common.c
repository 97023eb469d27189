/* What the programs for MPI share: arguments that all ranks parse and one speaks of, the cluster of
 * all ranks, failures that are told once. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli-mpi/commands.h"

/* 0 where MPI does not run: then there is one process. */
static int worldRank(void) {
  int runs, rank = 0;
  MPI_Initialized(&runs);
  if (runs)
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/* All ranks parse the same words and come to the same end; rank 0 alone says what is wrong, or the
 * help. */
bool txMpiParse(const txProgram *p, int *argc, char **argv, int *status) {
  int kept[2] = {-1, -1};
  if (p->common)
    p->common->devices = "what computes: rank (the GPU of the rank's number on its node; llvmpipe "
                         "where there is none), llvmpipe (software), surfaceless, or an index from "
                         "'texla info'; without it the environment variable TEXLA_DEVICE counts, "
                         "and without that it is rank";
  fflush(NULL);
  /* All ranks have the same arguments, and the same to say of them: what all but rank 0 print goes
   * nowhere. */
  FILE *const stream[] = {stdout, stderr};
  for (int k = 0; k < 2 && worldRank() != 0; k++) {
    kept[k] = dup(k + 1);
    if (!freopen("/dev/null", "w", stream[k]))
      kept[k] = -1;
  }
  bool go_on = txArgumentsParse(p, argc, argv, status);
  /* Before the streams are what they were, their buffers go where they were meant to. */
  fflush(NULL);
  for (int k = 0; k < 2; k++)
    if (kept[k] >= 0) {
      dup2(kept[k], k + 1);
      close(kept[k]);
    }
  return go_on;
}

/* Likewise for what is wrong beyond single options. */
int txMpiUsage(const txProgram *p, const char *message) {
  if (worldRank() != 0)
    return TX_EXIT_BAD;
  return txUsageError(p, "%s", message);
}

/* "rank 2: clCall: message" without the name of the call. */
static int fail(const txProgram *p, const clError *error) {
  clError rest = {0};
  int length = 0;
  sscanf(error->message, "rank %*d: %n", &length);
  snprintf(rest.message, sizeof rest.message, "%s", error->message + length);
  fprintf(stderr, "%s: %.*s%s\n", p->name, length, error->message, txProgramMessage(&rest));
  return TX_EXIT_BAD;
}

/* What the common options say is the same on all ranks; each opens a context of its own. */
clStatus txMpiOpen(clCluster **out, const txProgram *p) {
  clError error = {0};
  clContextOptions options = {0};
  txProgramPrepare(&options, p);
  clStatus status = clClusterCreate(out, MPI_COMM_WORLD, &options, &error);
  if (status && worldRank() == 0)
    fail(p, &error);
  return status;
}

clStatus txMpiTake(clError *error, const clCluster *cluster, clStatus status) {
  if (status != TEXLA_OK)
    *error = *clClusterError(cluster);
  return status;
}

/* Where one rank has no memory all end: the others would wait for it in the next exchange. */
clStatus txMpiAgreeOnMemory(clCluster *cluster, bool enough, clError *error) {
  clStatus status = TEXLA_OK;
  if (!enough)
    status = TEXLA_OUT_OF_MEMORY;
  return clClusterAgree(cluster, status, error);
}

/* Rank 0 is the one that writes. */
clStatus txMpiCheckOutput(clCluster *cluster, const char *path, clError *error) {
  clStatus status = TEXLA_OK;
  if (clClusterRank(cluster) == 0)
    status = txProgramCheckOutput(path, error);
  return clClusterAgree(cluster, status, error);
}

/* The exit status that all ranks return: 0, 1 where the answer is less than was asked for, 2 where
 * there is none. */
int txMpiResult(const txProgram *p, const clCluster *cluster, clStatus computed, clStatus written,
                const clError *error) {
  /* What was computed may be information; what was written is good or not. */
  bool failed = computed < 0 || written != TEXLA_OK;
  if (failed && clClusterRank(cluster) == 0)
    return fail(p, error);
  if (failed)
    return TX_EXIT_BAD;
  if (computed != TEXLA_OK)
    return TX_EXIT_NOT_CONVERGED;
  return TX_EXIT_GOOD;
}

/* All of the text must be a number: "10.mtx" is a file. */
int64_t txMpiSize(const char *text) {
  /* -1: it is none. */
  char *end;
  long long n = strtoll(text, &end, 10);
  if (!*text || *end)
    return -1;
  return n;
}

/* Knuth's multiplicative hash */
float txMpiRightSide(int64_t row) {
  return (float)((double)(uint32_t)((uint64_t)row * 2654435761u) * 0x1p-31 - 1);
}

/* "N" is a square. */
bool txMpiGrid(const char *text, int size[2]) {
  int nx = 0, ny = 0, length = 0;
  bool one = sscanf(text, "%d%n", &nx, &length) == 1 && !text[length];
  bool two = !one && sscanf(text, "%dx%d%n", &nx, &ny, &length) == 2 && !text[length];
  if ((!one && !two) || nx < 1 || (two && ny < 1))
    return false;
  size[0] = size[1] = nx;
  if (two)
    size[1] = ny;
  return true;
}

/* Manual pages are written while the program is built, where MPI may be there but not run. */
static bool describesItself(int argc, char **argv) {
  for (int k = 1; k < argc; k++)
    if (strncmp(argv[k], "--help-as", 9) == 0)
      return true;
  return false;
}

/* MPI is there while `run` runs. A status of one rank is that of all, so that none has to be
 * killed. */
int txMpiRun(const char *name, int (*run)(int argc, char **argv), int argc, char **argv) {
  bool starts = !describesItself(argc, argv);
  if (starts)
    MPI_Init(&argc, &argv);
  /* What standard output could not take is an error as well. */
  int status = txProgramEnd(name, run(argc, argv));
  if (starts)
    MPI_Finalize();
  return status;
}
