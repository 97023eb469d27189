/* What operators on clDense share: checks, rendering with the ping-pong hidden, and the product of
 * blocks. */
#ifndef TEXLA_DENSE_ENTRIES_H
#define TEXLA_DENSE_ENTRIES_H

#include "platform/companion.h"
#include "gl/pass.h"
#include "dense/dense.h"

/* Fails when A is NULL or belongs to another context than `context`, which keeps the message; the
 * name is for it. */
clStatus txDenseCheck(const char *call, clContext *context, const char *name, const clDense *A);
/* ... or not in 2 x 2 packing. */
clStatus txDenseCheckPacked(const char *call, clContext *context, const char *name,
                            const clDense *A);
/* The context that keeps the messages of a call with this output and this operand: the output's, if
 * there is one. */
clContext *txDenseFirstContext(const clDense *output, const clDense *operand);
/* Fails unless op is in the list. */
clStatus txDenseCheckOp(const char *call, clContext *context, clTranspose op);
/* Fails unless the factor is a number. */
clStatus txDenseCheckFactor(const char *call, clContext *context, const char *name, float factor);

/* Runs a pass over all of C's texture, through a fresh one where C is also a source. Adds `uniform
 * vec2 shape`: rows, cols (shaders/dense/dense.glsl). A failed call leaves C as it was. */
clStatus txDenseRun(const char *call, txPass *pass, clDense *C);

/* The product of blocks, all in 2 x 2 packing and all positions in texels:
 *     target[rect] <- alpha op(A) op(B) + beta C
 * op(A) has rect.height x inner texels, op(B) inner x rect.width. Texels outside of rect stay as
 * they are. A and B may be other blocks of the target. */
typedef struct txBlock {
  const txTexture *texture;
  /* first texel of the block, in the texture as it is stored */
  int x, y;
  /* a transposed block lies in the texture as height x width */
  clTranspose op;
} txBlock;
typedef struct txProduct {
  txTexture *target;
  txRect rect;
  /* entries of the target: lanes beyond stay zero */
  int rows, cols;
  float alpha, beta;
  txBlock a, b;
  /* texels */
  int inner;
  /* texture NULL: no beta C. It may be the target itself at the same place, with beta = 1: added by
   * blending */
  txBlock c;
} txProduct;

/* Ways to compute it; which is the fastest depends on the device and on the sizes. */
typedef enum txProductKind {
  /* both operands are fetched (product.c) */
  TX_PRODUCT_TILES,
  /* op(B) comes in uniform blocks (product_slabs.c) */
  TX_PRODUCT_BLOCKS
} txProductKind;
typedef struct txProductVariant {
  txProductKind kind;
  int wide,
      /* tiles: texels of C that a fragment computes; blocks: `wide` fragments in a row of a slab,
       * 0: the usual */
      high;
  /* most texels of the inner dimension in a pass, whose sums are added by blending; 0: all */
  int stretch;
  /* tiles: operands are read where they lie, while the inner dimension is short or a stretch all of
   * it */
  bool in_place;
} txProductVariant;

/* The variants that are measured; the tuning table has their places in this list. */
enum { TX_PRODUCT_VARIANTS = 12 };
extern const txProductVariant txProductVariants[TX_PRODUCT_VARIANTS];
/* The documents' single pass: a texel of C is a loop in the shader. */
#define TX_PRODUCT_SINGLE (&txProductVariants[0])

/* `variant` NULL: the one that is fastest on this device, measured at first use. */
TX_COMPANION clStatus txProductRun(clContext *context, const char *call, const txProduct *product,
                                   const txProductVariant *variant);

/* Row i of C <- row order[i] of A, zeros where order[i] < 0; or the same for columns. Both 2 x 2
 * packed and as wide (as high). C may be A. */
clStatus txDenseOrder(const char *call, clDense *C, const clDense *A, bool columns,
                      const int32_t *order);
/* The same with an order for each block of `width` columns of texels (rows): `blocks` orders one
 * after the other, with an entry for each row of the texture. The last one is for what follows,
 * too. */
clStatus txDenseOrderBlocks(const char *call, clDense *C, const clDense *A, bool columns,
                            const float *order, int blocks, int width);

/* *out <- the sums of magnitudes of the rows (columns) of A, 2 x 2 packed, as a matrix of one
 * column (row) in the same packing: a texture that the caller destroys. */
clStatus txDenseSums(const char *call, txTexture **out, const txTexture *A, bool columns);

/* s <- max |a_ij|, i <= j; not finite where an entry is not, anywhere; 2 x 2 packed */
clStatus txDenseLargestUpper(const char *call, clFloat *s, const clDense *A);

/* clDenseMultiply with a given variant. */
clStatus txDenseMultiply(const char *call, clDense *C, float alpha, clTranspose a_op,
                         const clDense *A, clTranspose b_op, const clDense *B, float beta,
                         const txProductVariant *variant);

/* target[rect] <- source[x .., y ..] */
TX_COMPANION clStatus txTexelsCopy(const char *call, txTexture *target, txRect rect,
                                   const txTexture *source, int x, int y);

#endif
