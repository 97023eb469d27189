/* A set of column vectors, each laid out as any vector of its length is: four rows to a texel, in
 * an image of the row layout's size. The images lie 2^across side by side: column j's starts at
 * texel (j mod 2^across * image width, j / 2^across * image height). */
#ifndef TEXLA_MATRIX_COLUMNS_H
#define TEXLA_MATRIX_COLUMNS_H

#include "matrix/storage.h"

typedef struct txDense {
  txTexture *texture;
  int across;
  /* The layout of a linear vector of length cols, which the kernels want even where A's own layout
   * is a grid. */
  txLayout columns;
} txDense;

/* `count` zero columns that are laid out like `column`, to be filled one by one (txColumnsSet). */
clStatus txColumnsCreate(clMatrix **out, clContext *context, const char *call,
                         const txLayout *column, int32_t count);

/* Column j <- x, in one pass. x has the layout of A's columns and is not checked. */
clStatus txColumnsSet(const char *call, clMatrix *A, int32_t j, const clVector *x);

/* The operations of the storage (txStorage), in columns_product.c. */
clStatus txColumnsMultiply(const char *call, clVector *y, float ca, const clMatrix *A,
                           bool transposed, const clVector *x, float cb, const clVector *b);
clStatus txColumnsMultiplySeveral(const char *call, const txMultiProduct *product);
clStatus txColumnsDiagonal(const char *call, clVector *d, const clMatrix *A);

/* log2 of the texels in a row of a linear vector, which kernels use instead of divisions. */
static inline int txLinearShift(const txLayout *linear) {
  int shift = 0;
  while ((int64_t)4 << shift < linear->row)
    shift++;
  return shift;
}

/* What shaders/matrix/columns.glsl reads: the first source, its uniforms and defines. */
void txColumnsMatrix(txPass *pass, const clMatrix *A);

#endif
