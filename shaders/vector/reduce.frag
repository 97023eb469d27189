// One level of a tree reduction: a target texel <- COMBINE over the STRIP terms of a strip.
// Groups of eight keep the sum pairwise in character: a level's error grows with 8 + STRIP / 8 roundings,
// however long the vector is.
#include "vector/reduce.glsl"
#include "vector/strip.glsl"

out vec4 partial;

void main() {
  vec2 p = placeInStrip(0);
  vec4 total;
  for (int g = 0; g < STRIP; g += 8) {
    vec4 group = TERM(p);
    ADVANCE(p);
    for (int k = 1; k < 8; k++) {
      group = COMBINE(group, TERM(p));
      ADVANCE(p);
    }
    total = g == 0 ? group : COMBINE(total, group);
  }
  partial = total;
}
