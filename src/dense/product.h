/* What the kinds of products share (product.c, product_slabs.c): product_parts.c. */
#ifndef TEXLA_DENSE_PRODUCT_H
#define TEXLA_DENSE_PRODUCT_H

#include "dense/entries.h"

/* An operand that a product reads: row i of op(A), or column i of op(B), begins i texels from (x,
 * y) on, across the inner index. */
typedef struct txProductOperand {
  const txTexture *texture;
  int x, y;
  /* the inner index runs along x; blocks of 2 x 2 have to be transposed */
  bool along_x, swapped;
  txTexture *packed; /* its own, or NULL */
} txProductOperand;

/* Where an operand lies; `columns`: op(B), whose outer index is that of its columns. */
txProductOperand txProductOperandOf(const txBlock *block, bool columns);

/* C is added by blending where it is the target itself. */
bool txProductInPlace(const txProduct *p);

/* What a join is told: uniforms from `at` on of the pass, C as a source, the rectangle,
 * blending. */
void txProductJoin(const txProduct *p, txPass *pass);

/* *variant <- the one that is fastest on this device for products of such a size, measured at first
 * use. */
clStatus txProductChoose(clContext *context, const txProduct *p, const txProductVariant **variant);

/* Whether the device's textures hold what a product by slabs needs. */
bool txSlabsFit(const clContext *context, const txProduct *p, const txProductVariant *variant);
clStatus txSlabsRun(clContext *context, const char *call, const txProduct *p,
                    const txProductVariant *variant);

/* *sums <- op(A) op(B) as the product by slabs leaves it: a texture of rectangles as *slab says,
 * for shaders/dense/slabs.glsl; the caller destroys it. With `lower` only the eights of columns
 * from their diagonal on; what is above is undefined. Of `p` the target's place, factors and C do
 * not count. */
clStatus txSlabsSum(txTexture **sums, txUniform *slab, clContext *context, const char *call,
                    const txProduct *p, const txProductVariant *variant, bool lower);

#endif
