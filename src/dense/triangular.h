/* Systems with triangular matrices, blocked: substitution in diagonal blocks, products for the
 * rest. */
#ifndef TEXLA_DENSE_TRIANGULAR_H
#define TEXLA_DENSE_TRIANGULAR_H

#include "dense/entries.h"

/* A triangle of a square block on the diagonal of a 2 x 2 packed texture; positions in texels. */
typedef struct txTriangular {
  const txTexture *texture;
  int x, y, texels;
  clTriangle triangle;
  bool unit;
  clTranspose op;
  /* NULL, or from txTriangularInvert, of blocks of as many texels as it is wide: products with it
   * instead of substitution */
  const txTexture *inverse;
} txTriangular;

/* texels of a diagonal block that is solved in one pass */
enum { TX_TRIANGLE = 15 };

/* inverse[y = at ..] <- L^-1 of a diagonal block of the unit lower triangle in T, at most
 * TX_TRIANGLE texels from (at, at) on. Small when the multipliers are, as with pivoting. `inverse`
 * is TX_TRIANGLE wide and has T's height. */
clStatus txTriangularInvert(const char *call, txTexture *inverse, const txTexture *T, int at,
                            int texels);

/* B[rect] <- op(T)^-1 B[rect], in place; rect has T's texels as its height. T may be another block
 * of B's texture. `rows` and `cols` are B's. A zero on the diagonal makes its unknown zero: whoever
 * calls has looked. */
clStatus txTriangularSolve(const char *call, const txTriangular *T, txTexture *B, txRect rect,
                           int rows, int cols);

/* *out <- the diagonal of n entries that begins in texel (x, y) of T; the caller frees it.
 * Blocks. */
clStatus txDiagonalRead(float **out, const char *call, const txTexture *T, int x, int y, int n);
/* *row <- the first zero on the diagonal of n entries that begins in texel (x, y) of T, counted
 * from 0, or -1. Blocks. */
clStatus txDiagonalZero(const char *call, const txTexture *T, int x, int y, int n, int *row);

#endif
