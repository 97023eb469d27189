/* clBlockPlu inside. A step takes one block of columns, the panel:
 *
 *   pivot      the grid column that has the panel factors it on the host, true pivots from all of
 *              its ranks (plu_panel.c); its top block, L11 and U11, is known to all of them then
 *   eliminate  what these ranks compute below the top block: L21, the multipliers. It goes along
 *              the grid rows
 *   normalize  rows change places across ranks, and U12 = L11^-1 A12 (plu_rows.c)
 *   reduce     A22 <- A22 - L21 U12, one product on each rank's device (plu.c)
 *
 * Panels are factored on the host because each of their columns waits for a message: a pass and two
 * transfers each would take longer than the arithmetic. All of a step is done for the next panel's
 * columns first, which are fetched and factored while the devices normalize and reduce the rest: a
 * look-ahead of one. */
#ifndef TEXLA_MPI_PLU_H
#define TEXLA_MPI_PLU_H

#include "dense/entries.h"
#include "mpi/blocks.h"
#include "core/team.h"

struct clBlockPlu {
  clCluster *cluster;
  const clBlockMatrix *A;
  clBlockPluOptions options;
  /* the local matrix, padded, 2 x 2 packed; L and U in the end. NULL: this rank holds nothing */
  txTexture *texture;
  int *pivots;
  int zero_pivot;
  /* that factors panels */
  txTeam *team;
  /* the panel that is being factored: local padded rows from its block on, `pitch` apart */
  float *panel;
  /* the same as it comes from the device: texels */
  float *arrived;
  /* what goes along the grid rows: `pitch` pivots as int, */
  float *message;
  /* ... pitch x pitch numbers: L11 and U11, */
  float *top;
  /* ... and the texels of what lies below */
  float *l21;
  /* the texture on the host, row after row, for substitution */
  float *factors;
};

/* A step's place in this rank's padded matrix. */
typedef struct txStep {
  /* the block, and its columns */
  int k, width;
  /* of the diagonal block */
  int row_owner, col_owner;
  /* first local row of block k, and of what follows it */
  int row, next_row;
  int col, next_col;
  /* local rows and columns, padded */
  int rows, cols;
} txStep;
txStep txStepOf(const clBlockPlu *plu, int k);

/* Factors the panel of step s, whose local rows from the panel's block on are `texels`, together
 * with the other ranks of the grid column; sets plu->top, plu->l21 and the pivots. */
void txPluPanel(clBlockPlu *plu, const txStep *s, const float *texels);
/* How many threads of this rank work on a panel. */
int txPluThreads(const clCluster *cluster);

/* Which rows a step's pivots bring where. */
typedef struct txMoves {
  /* rows that change, those of block k first: `width` of them, then others in the order of the
   * pivots */
  int count;
  /* of the whole matrix */
  int *row;
  /* the row that comes there; below block k always one of block k */
  int *source;
} txMoves;
void txMovesCreate(txMoves *out, const clBlockPlu *plu, const txStep *s);
void txMovesDestroy(txMoves *moves);
/* Rows change places in columns [first, end), right of the panel or `left` of it. Parts of the
 * columns can be under way at once, in the same order on all ranks of a grid column. */
typedef struct txRowMove txRowMove;
txRowMove *txRowMoveStart(clBlockPlu *plu, const txStep *s, const txMoves *moves, int first,
                          int end, bool left);
/* What other ranks need is on its way to them: waits for the device only. */
void txRowMoveSend(txRowMove *move);
/* Waits for what comes, and ends the move. Right of the panel the result is a texture of the new
 * rows of block k, the same on all ranks of a grid column, where the matrix has still the old ones;
 * left of it NULL. */
txTexture *txRowMoveFinish(txRowMove *move);
/* The grid row that has a row of the whole matrix. */
static inline int txRowOwner(const clBlockMatrix *A, int row) {
  return row / A->layout.block % A->layout.grid_rows;
}

/* What this rank receives in a factorization with these pivots, by the formula of
 * docs/cluster.md. */
int64_t txPluVolume(const clBlockPlu *plu);

/* Host arrays (even sizes, `lead` apart) to and from texels of 2 x 2 entries. */
void txPackTexels(float *texels, const float *values, int rows, int cols, int lead);
void txUnpackTexels(float *values, const float *texels, int rows, int cols, int lead);

#endif
