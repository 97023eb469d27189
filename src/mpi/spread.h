/* A sparse matrix whose rows are spread over the ranks: each has a clMatrix of its own columns, and
 * a halo for the others. */
#ifndef TEXLA_MPI_SPREAD_H
#define TEXLA_MPI_SPREAD_H

#include "mpi/halo.h"

typedef enum txSpreadKind {
  /* vectors are linear, */
  TX_SPREAD_LINEAR,
  /* ... or in the grid layout of this rank's rectangle */
  TX_SPREAD_GRID,
  /* linear; the matrix is square, and scaled symmetrically by powers of two so that its diagonal is
   * near 1 */
  TX_SPREAD_SCALED
} txSpreadKind;

typedef struct txSpread {
  clCluster *cluster;
  /* borrowed */
  const txNumbering *rows, *cols;
  /* rows of this rank; one that is zero of those that have none */
  int64_t local;
  clMatrix *own;
  /* what rows and columns are scaled by, those of the halo behind the own ones; NULL: all are 1 */
  double *factor;
  /* in double, where it is asked for: the own columns; behind them those of the halo */
  clTriplets *host;
  txHalo halo;
} txSpread;

/* A row of this rank, by its local number: its entries, with columns among all, valid until the
 * next call; the result is their number. */
typedef int64_t (*txRowFunction)(void *user, int64_t local, const int64_t **col,
                                 const double **value);

/* Collective. */
clStatus txSpreadCreate(txSpread *out, clCluster *cluster, const txNumbering *rows,
                        const txNumbering *cols, txRowFunction row, void *user, txSpreadKind kind);
void txSpreadDestroy(txSpread *A);

/* A->host <- the rows that it was made from, not scaled. Collective. */
clStatus txSpreadKeep(txSpread *A, txRowFunction row, void *user);
/* How many of its columns are the own ones: at least one. */
int32_t txSpreadOwnColumns(const txSpread *A);
/* y <- A x in double, with A->host: this rank's elements. Collective. */
void txSpreadMultiplyHost(txSpread *A, double *y, const double *x);
/* The rows of a compressed matrix, whose columns are those of all ranks from `shift` on; asked for
 * in order. */
typedef struct txTripletRows {
  const clTriplets *A;
  int64_t at, shift;
  /* of the last row; the caller frees it */
  int64_t *col;
} txTripletRows;
int64_t txTripletRow(void *user, int64_t local, const int64_t **col, const double **value);

/* y <- A x, or with b: y <- b - A x. Collective. */
clStatus txSpreadMultiply(txSpread *A, clVector *y, const clVector *x, const clVector *b);

#endif
