/* Padded rows: every row of a block of texture rows has the same number of slots, a slot being a
 * value and a position in x. Four rows share the texels of a slot, so that a fragment computes four
 * rows. Rows that are much longer than those of their block keep their last entries in a csr
 * matrix, which is added.
 *
 * A row of texels of a block takes K rows of the textures, one for each slot: slot s of texel (u,
 * v) of the block lies at (left + u, bottom + K v + s). So what neighbouring fragments read lies in
 * few places of memory, and the textures' width is not one for which many rows share the same lines
 * of a cache. [1024^2, five slots, llvmpipe: where others use the machine 11 to 45 % less processor
 * time, median 30, than with an image of the block for each slot, one above the other; with nothing
 * else running both take 7 to 8 ms on two processors] */
#ifndef TEXLA_MATRIX_SLOTS_H
#define TEXLA_MATRIX_SLOTS_H

#include "matrix/gather.h"

enum { TX_SLOTS_GROUP = 8, TX_SLOTS_MOST = 512, TX_SLOTS_BLOCKS = 32 };

typedef struct txSlotBlock {
  /* The texture rows of the vector that the block computes. */
  int first, height;
  /* Slots of a row, a multiple of `group`, which is at most TX_SLOTS_GROUP: the shader sums group
   * by group. */
  int slots, group;
  int left, bottom;
  /* Pairs (value, position) with one row to a texel, RG32F, for multivectors; NULL until they are
   * needed. */
  txTexture *entries;
} txSlotBlock;

typedef struct txSlots {
  txGather gather;
  /* RGBA32F; RGBA32F, or RGBA32I when positions exceed 2^24: wide */
  txTexture *value, *position;
  bool wide;
  txSlotBlock *block;
  int blocks;
  /* left, bottom, first, height and slots of each block, which is what the numbers of both textures
   * mean (txMeaning). */
  int (*place)[5];
  /* The entries without a slot, in csr; NULL when every entry has one. */
  clMatrix *rest;
} txSlots;

/* The products (txStorage), in slots_product.c. */
clStatus txSlotsMultiply(const char *call, clVector *y, float ca, const clMatrix *A,
                         bool transposed, const clVector *x, float cb, const clVector *b);
clStatus txSlotsMultiplySeveral(const char *call, const txMultiProduct *product);

/* Gives a pass over texture rows of a vector what it finds slots with: `place`, from uv to slot 0
 * (scale, offset), and `slot`, the way from one to the next. The vector is width x height texels;
 * of the slots' texture, which is w x h, the block's corner is (left, bottom). */
void txSlotsPlace(txPass *pass, const txSlotBlock *block, int width, int height, int left,
                  int bottom, int w, int h);

#endif
