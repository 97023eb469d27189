// The measure of row i as the pivot of step k: below 0 where it is not active.
//   partial pivoting: |a|
//   BLOCK: 2 x 2 blocks of rows and of columns k, k + 1, with the pivots a11 and b22 = a22 - a21 a12 / a11:
//     HARM |a11 b22 / (a11 + b22)|, else |a11 b22|; 0 where a11 is. A column beyond the matrix has a unit pivot.
//   FIRST: no pivoting: the first active row, with JORDAN the first that is not zero.
#include "include/panel.glsl"

uniform sampler2D column, last; // the groups with column k and with the states
uniform ivec4 search;           // k, the lane of column k, size of the candidates' texture
uniform float tolerance;        // pivots up to it count as zero

#ifdef BLOCK
float measureOfBlock(vec2 a1, vec2 a2, bool beyond) {
  if (a1.x == 0.)
    return 0.;
  float b22 = beyond ? 1. : a2.y - a1.y / a1.x * a2.x, product = abs(a1.x * b22);
#ifdef HARM
  float sum = abs(a1.x + b22);
  return sum == 0. ? 3e38 : min(product / sum, 3e38);
#else
  return min(product, 3e38);
#endif
}

vec2 pairOf(int row) {
  vec4 v = texelFetch(column, placeOf(row), 0);
  return search.y == 0 ? v.xy : v.zw;
}
#endif

float measure(int row) {
  if (texelFetch(last, placeOf(row), 0).z != 0.)
    return -1.;
#ifdef BLOCK
  return row % 2 == 1 ? -1. : measureOfBlock(pairOf(row), pairOf(row + 1), first_column + search.x + 1 >= matrix.y);
#elif defined(FIRST) && !defined(JORDAN)
  return 0.;
#else
  float a = abs(texelFetch(column, placeOf(row), 0)[search.y]);
#ifdef FIRST
  return a > tolerance ? 1. : 0.;
#else
  return a;
#endif
#endif
}

// (measure, row): the best of rows first, first + stride, ...; the first one where several are.
vec2 bestOf(int first, int stride) {
  vec2 best = vec2(-1., 1e9);
  for (int row = first; first_row + row < matrix.x; row += stride) {
    float m = measure(row);
    if (m > best.x)
      best = vec2(m, float(row));
  }
  return best;
}
