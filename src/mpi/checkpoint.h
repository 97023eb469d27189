/* Checkpoints: files of vectors, and what else a solver needs to go on. */
#ifndef TEXLA_MPI_CHECKPOINT_H
#define TEXLA_MPI_CHECKPOINT_H

#include "krylov/frame.h"
#include "mpi/matrix.h"

enum { TX_CHECKPOINT_VECTORS = TX_SOLVER_VECTORS + 1 };

typedef struct txCheckpoint {
  /* x and the method's */
  int vectors;
  /* in double: x alone */
  bool wide;
  char method[16], preconditioner[16];
  txStand stand;
} txCheckpoint;

/* Iterations from one checkpoint to the next. */
static inline int64_t txCheckpointEvery(const clClusterCheckpoint *checkpoint) {
  if (checkpoint->every > 0)
    return checkpoint->every;
  return 100;
}

/* All collective. What stood in the file stays until all is written. */
clStatus txCheckpointSave(clClusterMatrix *A, const char *path, const txCheckpoint *p,
                          const clVector *const *vector);
/* *p <- the head of a file for this matrix. */
clStatus txCheckpointHead(clClusterMatrix *A, const char *path, txCheckpoint *p);
/* The first `count` vectors of a file whose head has been read, and is not wide. */
clStatus txCheckpointLoad(clClusterMatrix *A, const char *path, int count, clVector *const *vector);
/* x in double: p->wide. */
clStatus txCheckpointSaveWide(clClusterMatrix *A, const char *path, const txCheckpoint *p,
                              const double *x);
/* The first vector of a file whose head, *p, has been read: in double, or what it holds in single
 * precision. There is room for one element at least, on ranks without rows, too. */
clStatus txCheckpointLoadWide(clClusterMatrix *A, const char *path, const txCheckpoint *p,
                              double *x);

#endif
