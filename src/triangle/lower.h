/* Lower triangles in textures: where their texels are, and C += alpha S S^T on parts of them (J1,
 * J2). Shared by the assembly of A D^2 A^T and by Cholesky factorizations, which look the same for
 * full and for packed storage.
 *
 * A triangle of m x m texels has two parts: columns [0, w) and [w, m), w = ceil(m / 2). In full
 * storage texel (i, j) is at (x, y) = (j, i) for both. In packed storage the first part is at (j, i
 * + 1 - m % 2), and the second one is turned by 180 degrees, blocks of 2 x 2 entries too: (i, j) is
 * at (m - 1 + m % 2 - j, m - 1 - i). */
#ifndef TEXLA_TRIANGLE_LOWER_H
#define TEXLA_TRIANGLE_LOWER_H

#include "dense/entries.h"
#include "texla/triangle.h"
#include "vector/vector.h"

typedef struct txLower {
  clContext *context;
  txTexture *texture;
  /* entries */
  int order;
  /* m */
  int texels;
  /* packed */
  bool folded;
  /* one entry a texel, not 2 x 2 */
  bool single;
} txLower;

struct clPacked {
  clContext *context;
  int order;
  clPacking packing;
  txTexture *texture;
};

/* C's must be 2x2 or 1x1 and square. */
txLower txLowerOfDense(const clDense *C);
txLower txLowerOfPacked(const clPacked *P);
/* A texture for a triangle in that storage; undefined. */
clStatus txLowerTexture(txTexture **out, clContext *context, const char *call, int order,
                        clPacking packing, bool folded);

/* Texel (i, j) is at (x + turn j, y + turn i) for columns [first, first + cols). */
typedef struct txLowerPart {
  int first, cols;
  /* turn: 1, or -1 */
  int x, y, turn;
} txLowerPart;
enum { TX_LOWER_PARTS = 2 };
/* without columns where there is no second one */
txLowerPart txLowerPartOf(const txLower *lower, int number);
/* Where columns [col, col + cols) and rows [row, row + rows) of texels of a part are. */
txRect txLowerPlace(const txLowerPart *part, int col, int cols, int row, int rows);
/* From a texel's place to the corner where it begins: 0, or 1 in a part that is turned. */
float txLowerEdge(const txLowerPart *part);

/* What is multiplied by its own transpose: texel (k, q) of `straight` belongs to row first + q of
 * texels; `turned` has them in reverse order, entries too, for products into a turned part (NULL:
 * there are none). */
typedef struct txLowerRows {
  txTexture *straight, *turned;
  int first, inner;
} txLowerRows;
void txLowerRowsDestroy(txLowerRows *rows);

/* rows <- op(A) D (d NULL: ones), in the triangle's packing: `inner` texels from `from` on, no more
 * than a texture is wide. */
clStatus txLowerRowsScale(txLowerRows *rows, const char *call, const txLower *lower, clTranspose op,
                          const clDense *A, const clVector *d, int from, int inner);
/* rows <- columns [col, col + cols) of the triangle, from row `first` >= col + cols on: columns of
 * one part. */
clStatus txLowerRowsLoad(txLowerRows *rows, const char *call, const txLower *lower, int col,
                         int cols, int first, bool turned);

/* A pass over texels (i, j), j <= i, of columns [col, col + cols) of one part, from row col on: one
 * triangle, whose edge runs half a texel beside the diagonal; shaders/triangle/lower.vert hands on
 * places in textures of `height` rows that begin with row `first`. Fills in the target, the
 * rectangle, the vertex shader and its uniforms. */
typedef struct txTrapezoid {
  /* rows >= cols */
  int col, cols, rows;
  int first, height;
} txTrapezoid;
void txLowerPass(txPass *pass, const txLower *lower, const txLowerPart *part,
                 const txTrapezoid *shape);

/* lower_add.c: C += alpha S S^T for columns [col, col + cols) of texels and rows from col on
 * (single entries: all columns); no texel above the diagonal is touched. */
clStatus txLowerAdd(const char *call, const txLower *lower, float alpha, const txLowerRows *rows,
                    int col, int cols);

/* C <- factor C0, of another storage or the same; NULL: zeros. C0's texture is not C's.
 * `symmetric`: what is above, too. */
clStatus txLowerCopy(const char *call, const txLower *lower, float factor, const txLower *from,
                     bool symmetric);
/* C <- S C0 S, S diagonal: texel k of `scale` holds s_2k, s_2k+1; with `unscale` C <- S^-1 C0. */
clStatus txLowerCopyScaled(const char *call, const txLower *lower, const txLower *from,
                           const txTexture *scale, bool unscale);

#endif
