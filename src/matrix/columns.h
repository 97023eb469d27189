/* A set of column vectors, each laid out as any vector of its length is: four rows to a texel, in
 * an image of the row layout's size. The images lie 2^across side by side: column j's starts at
 * texel (j mod 2^across * image width, j / 2^across * image height). */
#ifndef TEXLA_MATRIX_COLUMNS_H
#define TEXLA_MATRIX_COLUMNS_H

#include "matrix/matrix.h"

typedef struct txDense {
  txTexture *texture;
  int across;
  /* of a linear vector of length cols: the kernels want it even where A's layout is a grid */
  txLayout columns;
} txDense;

/* `count` zero columns that are laid out like `column`, to be filled one by one (txColumnsSet). */
clStatus txColumnsCreate(clMatrix **out, clContext *context, const char *call,
                         const txLayout *column, int32_t count);

/* Column j <- x, in one pass. x has the layout of A's columns and is not checked. */
clStatus txColumnsSet(const char *call, clMatrix *A, int32_t j, const clVector *x);

/* What shaders/matrix/columns.glsl reads: the first source, its uniforms and defines. */
void txColumnsMatrix(txPass *pass, const clMatrix *A);

#endif
