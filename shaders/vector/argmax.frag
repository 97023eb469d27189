// First level of an argmax: as reduce.frag, but only the texel with the largest element is kept, the first of several, and becomes a
// candidate (value, row, column, -) at the end. It is looked for eight texels at a time: most of them hold nothing new.
#include "vector/reduce.glsl"
#include "vector/strip.glsl"

out vec4 best;

// The largest magnitude, as a number whose order is that of floats. Every NaN is the same, beyond Inf, where it is at most `largest`.
const uint largest = 0x7f800001u;
uint magnitude(vec4 v) {
  uvec4 m = floatBitsToUint(v) & 0x7fffffffu;
  return max(max(m.x, m.y), max(m.z, m.w));
}

void main() {
  vec2 p = placeInStrip(0), place = p;
  uint most = 0u;
  int group = 0;
  for (int g = 0; g < STRIP; g += 8) {
    uint m = 0u;
    for (int k = 0; k < 8; k++) {
      m = max(m, magnitude(at(x, p)));
      ADVANCE(p);
    }
    m = min(m, largest);
    group = m > most ? g : group;
    most = max(m, most);
  }
  bool found = false;
  for (int k = 0; k < 8; k++) {
    p = placeInStrip(group + k);
    bool here = !found && min(magnitude(at(x, p)), largest) == most;
    place = here ? p : place;
    found = found || here;
  }
  best = candidate(place);
}
