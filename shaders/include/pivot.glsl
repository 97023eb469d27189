// The measure of a pivot, for four rows at once: below 0 where a row is not active.
//   partial pivoting: |a|
//   BLOCK: 2 x 2 blocks of rows and of columns k, k + 1, with the pivots a11 and b22 = a22 - a21 a12 / a11:
//     HARM |a11 b22 / (a11 + b22)|, else |a11 b22|; 0 where a11 is. A column beyond the matrix has a unit pivot.
//   FIRST: no pivoting: the first active row, with JORDAN the first that is not zero.
#include "include/panel.glsl"

uniform sampler2D panel;
uniform ivec2 search;    // k, number of candidates
uniform float tolerance; // pivots up to it count as zero

#ifdef BLOCK
float measure(vec2 a1, vec2 a2, bool beyond) {
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
#endif

vec4 measures(int y) {
  vec4 a = texelFetch(panel, ivec2(search.x, y), 0), state = texelFetch(panel, ivec2(columns, y), 0);
#ifdef BLOCK
  vec4 next = texelFetch(panel, ivec2(search.x + 1, y), 0);
  bool beyond = first_column + search.x + 1 >= matrix.y;
  vec4 m = vec4(measure(a.xy, next.xy, beyond), -1., measure(a.zw, next.zw, beyond), -1.);
#elif defined(FIRST) && defined(JORDAN)
  vec4 m = vec4(greaterThan(abs(a), vec4(tolerance)));
#elif defined(FIRST)
  vec4 m = vec4(0.);
#else
  vec4 m = abs(a);
#endif
  return mix(vec4(-1.), m, equal(state, vec4(0.)));
}

// (measure, row): the best of texels first, first + stride, ... of column k; the first one where several are.
vec2 bestOf(int first, int stride) {
  vec4 best = vec4(-1.), row = vec4(1e9);
  for (int y = first; y < height; y += stride) {
    vec4 m = measures(y);
    bvec4 better = greaterThan(m, best);
    best = mix(best, m, better);
    row = mix(row, 4. * float(y) + lanes_of_texel, better);
  }
  vec2 candidate = vec2(best.x, row.x);
  for (int lane = 1; lane < 4; lane++)
    if (best[lane] > candidate.x || (best[lane] == candidate.x && row[lane] < candidate.y))
      candidate = vec2(best[lane], row[lane]);
  return candidate;
}
