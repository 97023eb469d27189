/* A sparse matrix whose rows are spread over the ranks: each has a clMatrix of its own columns, and a halo for the others. */
#ifndef TEXLA_MPI_SPREAD_H
#define TEXLA_MPI_SPREAD_H

#include "mpi/halo.h"

typedef struct txSpread {
  clCluster *cluster;
  const txNumbering *rows, *cols; /* borrowed */
  int64_t local;                  /* rows of this rank; one that is zero of those that have none */
  clTriplets *host;               /* the own columns, kept where it is asked for */
  clMatrix *own;
  txHalo halo;
} txSpread;

/* A row of this rank, by its local number: its entries, with columns among all, valid until the next call; the result is their number. */
typedef int64_t (*txRowFunction)(void *user, int64_t local, const int64_t **col, const double **value);

/* Collective. `grid`: vectors in the grid layout of this rank's rectangle, else linear; `keep` keeps the own columns on the host. */
clStatus txSpreadCreate(txSpread *out, clCluster *cluster, const txNumbering *rows, const txNumbering *cols,
                        txRowFunction row, void *user, bool grid, bool keep);
void txSpreadDestroy(txSpread *A);

/* y <- A x, or with b: y <- b - A x. Collective. */
clStatus txSpreadMultiply(txSpread *A, clVector *y, const clVector *x, const clVector *b);

#endif
