/* What a rank gets of its node: a device, processors. */
#include "several.h"

#include "core/processors.h"
#include "mpi/cluster.h"

/* GPUs are dealt out by number, those that cannot be used and software are left out. */
static void testDevices(void) {
  const clDevice device[] = {
      {.usable = true, .software = true}, {.usable = true}, {.usable = false}, {.usable = true}};
  static const int wanted[] = {1, 3, 1, 3, 1};
  for (int rank = 0; rank < 5; rank++) {
    CHECK(txClusterDevice(device, 4, rank) == wanted[rank]);
    CHECK(txClusterDevice(device, 2, rank) == 1);
    CHECK(txClusterDevice(device, 1, rank) == -1);
    CHECK(txClusterDevice(device, 0, rank) == -1);
  }
}

/* Ranks of a node have different numbers there, and together no more processors than it has. */
static void testNode(void) {
  int sums[2] = {cluster->node_rank, clClusterProcessors(cluster)}, size = cluster->node_size;
  CHECK(cluster->node_rank >= 0 && cluster->node_rank < size && size <= clClusterSize(cluster));
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (size == clClusterSize(cluster)) {
    CHECK(sums[0] == size * (size - 1) / 2);
    CHECK(sums[1] <= txProcessorsOnline());
  }
}

int main(int argc, char **argv) {
  clusterBegin(&argc, &argv);
  testDevices();
  testNode();
  return clusterEnd();
}
