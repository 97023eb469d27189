/* Tests on several ranks: plain checks, since cmocka knows one process. A failed check ends all
 * ranks. */
#ifndef TEXLA_TESTS_MPI_SEVERAL_H
#define TEXLA_TESTS_MPI_SEVERAL_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "texla/mpi.h"

static clCluster *cluster;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: rank %d of %d: %s\n", __FILE__, __LINE__, clClusterRank(cluster),    \
              clClusterSize(cluster), #condition);                                                 \
      fflush(stderr);                                                                              \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                \
    }                                                                                              \
  } while (0)
#define CHECK_OK(call) checkStatus((call), TEXLA_OK, #call, __LINE__)
#define CHECK_FAILS(call, status) checkStatus((call), (status), #call, __LINE__)

static inline void checkStatus(clStatus status, clStatus wanted, const char *text, int line) {
  if (status == wanted)
    return;
  fprintf(stderr, "line %d: rank %d: %s: status %d: %s (%s)\n", line, clClusterRank(cluster), text,
          (int)status, clClusterError(cluster)->message,
          clContextError(clClusterContext(cluster))->message);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline void clusterBegin(int *argc, char ***argv) {
  clError error = {0};
  MPI_Init(argc, argv);
  clContextOptions options = {.no_tuning_cache = true};
  clStatus status = clClusterCreate(&cluster, MPI_COMM_WORLD, &options, &error);
  if (status)
    clClusterEnd(NULL, "test", &error);
}

static inline int clusterEnd(void) {
  if (clClusterRank(cluster) == 0)
    fprintf(stderr, "all ranks have ended well\n"); /* mpi.cmake asks for it */
  clClusterDestroy(cluster);
  MPI_Finalize();
  return 0;
}

#endif
