// The last level of a reduction: one fragment joins all the texels that are left, in groups of 16 so that sums stay pairwise
// in character.
#include "vector/reduce.glsl"

// Texel i in reading order; in floats, which are exact here, because integer division is slow on some devices.
vec4 term(int i) {
  float row = floor((float(i) + 0.5) / size.x);
  return TERM((vec2(float(i) - row * size.x, row) + 0.5) / size);
}

vec4 total() {
  int count = int(size.x * size.y);
  vec4 sum = vec4(0.);
  for (int first = 0; first < count; first += 16) {
    vec4 group = term(first);
    int end = min(first + 16, count);
    for (int i = first + 1; i < end; i++)
      group = COMBINE(group, term(i));
    sum = first == 0 ? group : COMBINE(sum, group);
  }
  return sum;
}
