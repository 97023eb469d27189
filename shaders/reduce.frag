// One level of a tree reduction: target texel (i, j) <- COMBINE over k < STRIP of TERM at source texel (i, j) + k * stride.
// Neighbouring fragments read neighbouring texels. Groups of eight keep the sum pairwise in character: a level's error
// grows with 8 + STRIP / 8 roundings, however long the vector is.
#include "include/reduce.glsl"

uniform vec2 stride; // in texture coordinates
uniform vec2 span;   // the target's extent in the sources' texture coordinates
out vec4 partial;

void main() {
  vec2 p = uv * span;
  vec4 total = TERM(p);
  for (int k = 1; k < 8; k++)
    total = COMBINE(total, TERM(p + float(k) * stride));
  for (int g = 8; g < STRIP; g += 8) {
    vec4 group = TERM(p + float(g) * stride);
    for (int k = 1; k < 8; k++)
      group = COMBINE(group, TERM(p + float(g + k) * stride));
    total = COMBINE(total, group);
  }
  partial = total;
}
