/* Only the non-zeros, in vertex arrays (J. Krueger, R. Westermann: Linear algebra operators for GPU
 * implementation of numerical algorithms, 2003): a point holds four (position in x, value) pairs of
 * a row and is drawn where the row lives. Points lie layer by layer: layer k has the k-th point of
 * every row that has one. */
#ifndef TEXLA_MATRIX_POINTS_H
#define TEXLA_MATRIX_POINTS_H

#include "matrix/gather.h"

typedef struct txPoints {
  txGather gather;
  /* positions (4), values (4), column and row of the element in its texture (2); NULL: none */
  txVertices *vertices;
  /* point of layer k; first[layers] is their number */
  int64_t *first;
  /* ceil(longest row / 4) */
  int64_t layers;
} txPoints;

#endif
