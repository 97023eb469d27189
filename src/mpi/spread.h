/* A sparse matrix whose rows are spread over the ranks: each has a clMatrix of its own columns, and
 * a halo for the others. */
#ifndef TEXLA_MPI_SPREAD_H
#define TEXLA_MPI_SPREAD_H

#include "mpi/halo.h"

typedef enum txSpreadKind {
  TX_SPREAD_LINEAR,
  /* The matrix is square, and scaled symmetrically by powers of two so that its diagonal is
   * near 1. */
  TX_SPREAD_SCALED
} txSpreadKind;

typedef struct txSpread {
  clCluster *cluster;
  /* Numberings are borrowed. */
  const txNumbering *rows, *cols;
  /* Rows of this rank. */
  int64_t local;
  /* The own columns; of a rank without rows one element, which stays zero. */
  clMatrix *own;
  /* What rows and columns are scaled by, those of the halo behind the own ones; NULL where all are
   * 1. */
  double *factor;
  /* The matrix in double, where it is asked for: the own columns; behind them those of the halo. */
  clTriplets *host;
  txHalo halo;
} txSpread;

/* A row of this rank, by its local number: its entries, with columns among all, valid until the
 * next call; the result is their number. */
typedef int64_t (*txRowFunction)(void *user, int64_t local, const int64_t **col,
                                 const double **value);

/* Entries in columns of other ranks; the caller frees them. */
typedef struct txGhosts {
  txGhostEntry *entry;
  int64_t count, room;
} txGhosts;

/* Those of operators on grids: only the rim of a rank's rectangle has any, so that no other row is
 * asked for. */
clStatus txGhostsOfRim(txGhosts *out, clCluster *cluster, const txNumbering *rows,
                       const txNumbering *cols, txRowFunction row, void *user);

/* Vectors are linear. Collective. */
clStatus txSpreadCreate(txSpread *out, clCluster *cluster, const txNumbering *rows,
                        const txNumbering *cols, txRowFunction row, void *user, txSpreadKind kind);
/* The same from what each rank has, of which `own` is taken over, also by a call that fails; its
 * layouts are those of the vectors. Collective. */
clStatus txSpreadCreateOf(txSpread *out, clCluster *cluster, const txNumbering *rows,
                          const txNumbering *cols, clMatrix *own, const txGhosts *ghosts);
void txSpreadDestroy(txSpread *A);

/* A->host <- the rows that it was made from, not scaled. Collective. */
clStatus txSpreadKeep(txSpread *A, txRowFunction row, void *user);
/* How many of its columns are the own ones: at least one. */
int32_t txSpreadOwnColumns(const txSpread *A);
/* y <- A x in double, with A->host: this rank's elements. Nothing can fail. Collective. */
void txSpreadMultiplyHost(txSpread *A, double *y, const double *x);
/* The rows of a compressed matrix, whose columns are those of all ranks from `shift` on; asked for
 * in order. */
typedef struct txTripletRows {
  const clTriplets *A;
  int64_t at, shift;
  /* The columns of the last row; the caller frees them. */
  int64_t *col;
} txTripletRows;
int64_t txTripletRow(void *user, int64_t local, const int64_t **col, const double **value);

/* y <- A x, or with b: y <- b - A x. Collective. */
clStatus txSpreadMultiply(txSpread *A, clVector *y, const clVector *x, const clVector *b);

#endif
