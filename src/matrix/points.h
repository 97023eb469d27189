/* Only the non-zeros, in vertex arrays (J. Krueger, R. Westermann: Linear algebra operators for GPU
 * implementation of numerical algorithms, 2003): a point holds four (position in x, value) pairs of
 * a row and is drawn where the row lives. Points lie layer by layer: layer k has the k-th point of
 * every row that has one. */
#ifndef TEXLA_MATRIX_POINTS_H
#define TEXLA_MATRIX_POINTS_H

#include "matrix/gather.h"

typedef struct txPoints {
  txGather gather;
  /* A vertex has four positions, four values, and the column and row of its element in the texture;
   * NULL where there are no entries. */
  txVertices *vertices;
  /* The first point of each layer, and behind the last layer the number of points. */
  int64_t *first;
  /* As many as the longest row needs, which is a quarter of its entries, rounded up. */
  int64_t layers;
} txPoints;

#endif
