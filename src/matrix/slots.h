/* Padded rows: every row of a block of texture rows has the same number of slots, a slot being a value and a position in x.
 * Four rows share the texels of a slot, so that a fragment computes four rows. Rows that are much longer than those of their
 * block keep their last entries in a csr matrix, which is added.
 *
 * A block of `height` texture rows and K slots takes K images of it, stacked: slot s of texel (u, v) of the block lies at
 * (left + u, bottom + s height + v) of the textures. */
#ifndef TEXLA_MATRIX_SLOTS_H
#define TEXLA_MATRIX_SLOTS_H

#include "matrix/gather.h"

enum { TX_SLOTS_GROUP = 8, TX_SLOTS_MOST = 512, TX_SLOTS_BLOCKS = 32 };

typedef struct txSlotBlock {
  int first, height; /* texture rows of the vector */
  int slots, group;  /* a multiple of group, which is at most TX_SLOTS_GROUP: the shader sums group by group */
  int left, bottom;
  txTexture *entries; /* (value, position) one row to a texel, RG32F, for multivectors; NULL until it is needed */
} txSlotBlock;

typedef struct txSlots {
  txGather gather;
  txTexture *value, *position; /* RGBA32F; RGBA32F, or RGBA32I when positions exceed 2^24: wide */
  bool wide;
  txSlotBlock *block;
  int blocks;
  int (*place)[5]; /* left, bottom, first, height, slots of each block: what value and position mean */
  clMatrix *rest;  /* csr; NULL when every entry has a slot */
} txSlots;

#endif
