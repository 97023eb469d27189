// The last level of a reduction: one fragment joins all the texels that are left, row by row.
#include "include/reduce.glsl"

vec4 total() {
  vec4 sum = vec4(0.);
  for (float j = 0.5; j < size.y; j += 1.) {
    vec4 row = vec4(0.);
    for (float i = 0.5; i < size.x; i += 1.) {
      vec4 term = TERM(vec2(i, j) / size);
      row = i < 1. ? term : COMBINE(row, term);
    }
    sum = j < 1. ? row : COMBINE(sum, row);
  }
  return sum;
}
