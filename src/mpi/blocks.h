/* clBlockMatrix inside. Local rows and columns are numbered as ScaLAPACK does on the host, and
 * *padded* on the device: a block takes `pitch` of them, the block size rounded up to an even
 * number, so that blocks consist of whole texels; what is added is zero. */
#ifndef TEXLA_MPI_BLOCKS_H
#define TEXLA_MPI_BLOCKS_H

#include "mpi/cluster.h"

struct clBlockMatrix {
  clCluster *cluster;
  clBlockLayout layout;
  int pitch;
  /* of the whole matrix, along each side */
  int blocks;
  /* of this rank */
  int row_blocks, col_blocks;
  /* the ranks of this grid row, this grid column; MPI_COMM_NULL: this rank is not in the grid */
  MPI_Comm row, col;
  /* the local matrix, row after row, layout.cols apart */
  double *host;
};

/* How many of the blocks 0 .. end - 1 belong to process `at` of `count`: also the local number of
 * the first block from `end` on. */
static inline int txBlocksBefore(int end, int at, int count) {
  return end > at ? (end - at - 1) / count + 1 : 0;
}

/* The row (column) of the whole matrix that is a local one; its block size may be the pitch: then
 * -1 in the padding. */
int txBlockGlobal(const clBlockMatrix *A, int local, int size, int at, int count);
/* The other way, for a row (column) that this process has. */
static inline int txBlockLocal(const clBlockMatrix *A, int global, int size, int count) {
  return global / A->layout.block / count * size + global % A->layout.block;
}

/* Whose the entry is, and whether this rank is in the grid. */
static inline int txBlockOwner(const clBlockLayout *l, int64_t i, int64_t j) {
  return (int)(i / l->block % l->grid_rows) * l->grid_cols + (int)(j / l->block % l->grid_cols);
}
static inline bool txBlockInGrid(const clBlockMatrix *A) {
  return A->layout.grid_row >= 0;
}

/* n numbers each, on all ranks: r <- b - A x, s <- |A| |x| + |b|; *norm <- ||A||_inf. `room` is for
 * as many numbers as the first function says. */
size_t txBlockResidualRoom(const clBlockMatrix *A);
void txBlockResidual(const clBlockMatrix *A, const double *x, const double *b, double *r, double *s,
                     double *norm, double *room);

#endif
