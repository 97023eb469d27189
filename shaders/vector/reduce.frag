// One level of a tree reduction: a target texel <- COMBINE over STRIP terms along AXIS, which start at uv * span and lie one target
// extent (stride) apart, so that neighbouring fragments read neighbouring texels.
// Groups of eight keep the sum pairwise in character: a level's error grows with 8 + STRIP / 8 roundings,
// however long the vector is.
#include "vector/reduce.glsl"

uniform vec2 span; // in the sources' texture coordinates, as stride
uniform float stride;
out vec4 partial;

void main() {
  vec2 p = uv * span;
  vec4 total;
  for (int g = 0; g < STRIP; g += 8) {
    vec4 group = TERM(p);
    p.AXIS += stride;
    for (int k = 1; k < 8; k++) {
      group = COMBINE(group, TERM(p));
      p.AXIS += stride;
    }
    total = g == 0 ? group : COMBINE(total, group);
  }
  partial = total;
}
