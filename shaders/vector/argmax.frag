// First level of an argmax: as reduce.frag, but only the texel with the largest element is kept, the first of several, and becomes a
// candidate (value, row, column, -) at the end.
#include "vector/reduce.glsl"

uniform vec2 span; // in the sources' texture coordinates, as stride
uniform float stride;
out vec4 best;

// The largest magnitude, as a number whose order is that of floats: every NaN is the same, beyond Inf.
uint magnitude(vec4 v) {
  uvec4 m = min(floatBitsToUint(v) & 0x7fffffffu, 0x7f800001u);
  return max(max(m.x, m.y), max(m.z, m.w));
}

void main() {
  vec2 p = uv * span, place = p;
  uint most = magnitude(at(x, p));
  for (int i = 1; i < STRIP; i++) {
    p.AXIS += stride;
    uint m = magnitude(at(x, p));
    place = m > most ? p : place;
    most = max(m, most);
  }
  best = candidate(place);
}
