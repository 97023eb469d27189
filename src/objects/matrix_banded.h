/* The banded storage (K4): a set of diagonals, each a full-length vector or one number.
 *
 * Diagonal k holds a_{i,i+k} at index i. In a square matrix it shares its vector with the opposing diagonal k - n: row i
 * belongs to the first while i + k < n and to the second afterwards. In the grid layout the element i + k lies dx columns
 * and dy rows away, and a diagonal whose entries step over the end of a grid row has a second such pair (dx - nx, dy + 1);
 * both share a vector as well. A product adds d_i x at all places of a vector: exactly one lies inside x, and x reads as
 * zero outside, so that no place needs a test. */
#ifndef TEXLA_OBJECTS_MATRIX_BANDED_H
#define TEXLA_OBJECTS_MATRIX_BANDED_H

#include "objects/matrix.h"

typedef struct txDiagonal {
  int64_t dx, dy; /* grid: columns and rows from i to i + k; linear: dx = k, dy = 0 */
  int texture;    /* -1: constant */
  float value;    /* of a constant diagonal */
  bool shared;    /* the texture holds entries of other diagonals, too */
} txDiagonal;

typedef struct txBandedPlan txBandedPlan; /* src/ops/matvec_banded.c */

typedef struct txBanded {
  txDiagonal *diagonal; /* constant ones first, then by texture */
  int diagonals;
  txTexture **texture;  /* vectors in A's row layout */
  txTexture **unpacked; /* the same, one element to a texel, for bundles; NULL until they are needed */
  int textures;
  txBandedPlan *plan[2]; /* one block each: of A and of its transpose, prepared at the first product */
} txBanded;

/* Which diagonals hold a non-zero. */
typedef struct txOffsets {
  int32_t *slot;   /* of diagonal k, and 1, at k + rows - 1; 0: empty */
  int32_t *offset; /* k by slot, ascending */
  int count;
  int shared; /* vectors, when opposing diagonals share one */
  int64_t nonzeros;
} txOffsets;

/* False when there is no memory. */
bool txOffsetsFind(txOffsets *out, const txRows *rows);
void txOffsetsFree(txOffsets *offsets);

#endif
