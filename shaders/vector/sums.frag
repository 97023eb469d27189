// One level of several sums, as shaders/vector/reduce.frag is of one.
#include "include/pass.glsl"
#include "vector/sums.glsl"
#include "vector/strip.glsl"

layout(location = 0) out vec4 partial[SUMS];

void main() {
  vec2 p = placeInStrip(0);
  vec4 sum[SUMS];
  for (int k = 0; k < SUMS; k++)
    sum[k] = vec4(0.);
  for (int i = 0; i < STRIP; i++) {
    addTerm(p, sum);
    ADVANCE(p);
  }
  for (int k = 0; k < SUMS; k++)
    partial[k] = sum[k];
}
