/* Matrix Market files that no rank holds as a whole: each reads a part of the bytes and sends the
 * entries to those who own them. */
#ifndef TEXLA_MPI_MARKET_H
#define TEXLA_MPI_MARKET_H

#include "io/matrix_market.h"
#include "mpi/cluster.h"

typedef struct txEntry {
  int64_t row, col;
  double value;
} txEntry;

/* The rank that wants entry (i, j). */
typedef int (*txOwner)(const void *user, int64_t i, int64_t j);

/* The header, the same on all ranks. */
clStatus txMarketOpen(txMarketHead *head, clCluster *cluster, const char *path);
/* *entries <- this rank's, in the order of the file, mirrored ones of symmetric files too; to be
 * freed. */
clStatus txMarketRead(txEntry **entries, size_t *count, clCluster *cluster, const char *path,
                      const txMarketHead *head, txOwner owner, const void *user);

#endif
