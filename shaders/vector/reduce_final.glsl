// The last level of a reduction: one fragment joins all the texels that are left, in groups of 16 so that sums stay pairwise
// in character.   QUAD: the other invocations of its quad, of fragments that the target does not have, take three of four groups
#include "vector/reduce.glsl"

// Texel i in reading order; in floats, which are exact here, because integer division is slow on some devices.
vec4 term(int i, vec2 texel) {
  float row = floor((float(i) + 0.5) * texel.x);
  return TERM((vec2(float(i) - row * size.x, row) + 0.5) * texel);
}

#ifdef QUAD
// Derivatives hand a value to the neighbour: where one side is zero, they do so exactly.
vec4 besides(vec4 v, bool second) {
  vec4 given = dFdx(second ? v : vec4(0.)), taken = -dFdx(second ? vec4(0.) : v);
  return second ? taken : given;
}
vec4 opposite(vec4 v, bool second) {
  vec4 given = dFdy(second ? v : vec4(0.)), taken = -dFdy(second ? vec4(0.) : v);
  return second ? taken : given;
}
vec4 joined(vec4 v, bvec2 second) {
  vec4 other = besides(v, second.x);
  v = second.x ? COMBINE(other, v) : COMBINE(v, other);
  other = opposite(v, second.y);
  return second.y ? COMBINE(other, v) : COMBINE(v, other);
}

vec4 total() {
  ivec2 place = ivec2(gl_FragCoord.xy) & 1;
  int count = int(size.x * size.y), mine = 16 * (place.x + 2 * place.y);
  vec2 texel = 1. / size;
  vec4 sum = vec4(0.);
  for (int first = mine; first < count;)
    for (int g = 0; g < TOGETHER; g++, first += 64) {
      vec4 group = term(min(first, count - 1), texel);
      for (int k = 1; k < 16; k++) {
        vec4 t = term(min(first + k, count - 1), texel), both = COMBINE(group, t);
        group = first + k < count ? both : group;
      }
      vec4 both = COMBINE(sum, group);
      sum = first == mine ? group : first < count ? both : sum;
    }
  return joined(sum, equal(place, ivec2(1)));
}
#else
vec4 total() {
  int count = int(size.x * size.y);
  vec2 texel = 1. / size;
  vec4 sum = vec4(0.);
#ifdef TOGETHER
  // TOGETHER groups at once, whether their texels exist or not: so all are under way, and one fragment does not wait for each.
  for (int first = 0; first < count;)
    for (int g = 0; g < TOGETHER; g++, first += 16) {
      vec4 group = term(min(first, count - 1), texel);
      for (int k = 1; k < 16; k++) {
        vec4 t = term(min(first + k, count - 1), texel), joined = COMBINE(group, t);
        group = first + k < count ? joined : group;
      }
      vec4 joined = COMBINE(sum, group);
      sum = first == 0 ? group : first < count ? joined : sum;
    }
#else
  for (int first = 0; first < count; first += 16) {
    vec4 group = term(first, texel);
    int end = min(first + 16, count);
    for (int i = first + 1; i < end; i++)
      group = COMBINE(group, term(i, texel));
    sum = first == 0 ? group : COMBINE(sum, group);
  }
#endif
  return sum;
}
#endif
