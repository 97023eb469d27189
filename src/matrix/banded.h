/* The banded storage (K4): a set of diagonals, each a full-length vector or one number.
 *
 * Diagonal k holds a_{i,i+k} at index i. In a square matrix it shares its vector with the opposing
 * diagonal k - n: row i belongs to the first while i + k < n and to the second afterwards. In the
 * grid layout the element i + k lies dx columns and dy rows away, and a diagonal whose entries step
 * over the end of a grid row has a second such pair (dx - nx, dy + 1); both share a vector as well.
 * A product adds d_i x at all places of a vector: exactly one lies inside x, and x reads as zero
 * outside, so that no place needs a test. */
#ifndef TEXLA_MATRIX_BANDED_H
#define TEXLA_MATRIX_BANDED_H

#include "platform/companion.h"
#include "matrix/storage.h"

typedef struct txDiagonal {
  /* Columns and rows of the grid from element i to element i + k; in the linear layout dx = k and
   * dy = 0. */
  int64_t dx, dy;
  /* The number of the vector that holds its entries; -1 where they are all the same number. */
  int texture;
  /* The entries of a constant diagonal. */
  float value;
  /* The vector holds entries of the opposing diagonal, too. */
  bool shared;
} txDiagonal;

/* What banded_product.c prepares for a product: texts of shaders and their uniforms. */
typedef struct txBandedPlan txBandedPlan;

typedef struct txBanded {
  /* Constant ones stand first, the others in the order of their vectors. */
  txDiagonal *diagonal;
  int diagonals;
  /* Stored diagonals: vectors in A's row layout. */
  txTexture **texture;
  /* The same with one element to a texel, for multivectors; NULL until they are needed. */
  txTexture **unpacked;
  int textures;
  /* The plans of products with A and with its transpose, each one block of memory that is prepared
   * at the first product. */
  txBandedPlan *plan[2];
} txBanded;

/* The samplers of the stored diagonals that a pass adds up. */
enum { TX_DIAGONAL_NAMES = 14 };
extern const char *const txDiagonalName[TX_DIAGONAL_NAMES];

/* From so many diagonals on, products read where the diagonals lie instead of having programs
 * written for them. All matrices share those few programs: with 200 diagonals of 10^5 rows the
 * first product takes 0.3 s instead of 9.7 s, and later ones up to 1.3 times as long (llvmpipe,
 * busy machine). */
enum { TX_BANDED_MANY = 64 };

/* Where diagonal d finds its elements of x: `lane` elements right of the start of the texel (qx,
 * qy) away. In the linear layout qx is at least 0, and what lies behind the end of a row is in the
 * next one. */
typedef struct txShift {
  int64_t qx, qy;
  int lane;
} txShift;
txShift txBandedShift(const txDiagonal *d, bool transposed, const txLayout *x);

/* y <- ca op(A) x + ..., as one of several passes sees it. */
typedef struct txBandedProduct {
  const clMatrix *A;
  const clVector *y, *x;
  float ca;
  bool transposed;
} txBandedProduct;

/* banded_many.c: the passes of a product by data, and one of them: y <- its terms + cb b. */
int txBandedManyPasses(const txBanded *banded);
clStatus txBandedManyRun(const char *call, const txBandedProduct *product, int pass, clVector *y,
                         float cb, const clVector *b);

/* The operations of the storage (txStorage), in banded_product.c and banded_multivector.c. */
clStatus txBandedMultiply(const char *call, clVector *y, float ca, const clMatrix *A,
                          bool transposed, const clVector *x, float cb, const clVector *b);
clStatus txBandedDiagonal(const char *call, clVector *d, const clMatrix *A);
clStatus txBandedMultiplySeveral(const char *call, const txMultiProduct *product);

/* Which diagonals hold a non-zero. */
typedef struct txOffsets {
  /* The number of diagonal k plus 1, at place k + rows - 1; 0 where it is empty. */
  int32_t *slot;
  /* k by this number, ascending. */
  int32_t *offset;
  /* For a grid that is tried: whether the entries of a diagonal stay in their grid row (1) or leave
   * it (2). */
  char *sides;
  int count;
  /* How many vectors hold them all, as opposing diagonals share one. */
  int shared;
  int64_t nonzeros;
} txOffsets;

/* The stored diagonal that reaches dx columns and dy rows away becomes `values` (in A's layout,
 * zero where it leaves the grid), and these get what it was: for matrices that are computed anew on
 * the device. False: A has no such diagonal of its own. Not after products with bundles, which keep
 * copies. */
TX_COMPANION bool txBandedExchange(clMatrix *A, int64_t dx, int64_t dy, clVector *values);
/* The main diagonal, which is stored, is `value` everywhere and stays so: products do not read it
 * any more. Before the first of them. False: A has no such diagonal of its own. [shallow water
 * 512^2, llvmpipe: a product takes 0.9 of the time] */
TX_COMPANION bool txBandedMain(clMatrix *A, float value);

/* five <- the coefficients of the middle, of the neighbours in the row and of those in the column,
 * where A is a symmetric stencil of five points that is the same on all of a grid, whose vectors
 * have no padding. False: A is something else. */
bool txBandedFive(const clMatrix *A, float five[3]);

/* A stencil that is the same on nx x ny points, with zeros around them, at most 2^31 - 1 of them:
 * a[3 (dy + 1) + dx + 1] is the coefficient of the neighbour at (dx, dy). All its diagonals are
 * constant, so that nothing is stored and nothing looked at. */
TX_COMPANION clStatus txBandedStencil(clMatrix **out, clContext *context, const char *call, int nx,
                                      int ny, const float a[9]);

/* Fails only without memory; `out` is then as it was. */
clStatus txOffsetsFind(txOffsets *out, clError *error, const char *call, const txRows *rows);
void txOffsetsFree(txOffsets *offsets);

#endif
