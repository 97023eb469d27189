// y <- alpha times the sum of the parts of op(A) x (gemv.frag) + beta b; y is linear.
#include "include/layout.glsl"

uniform sampler2D sums, b;
uniform vec2 sums_texel, b_texel;
uniform int parts;
uniform vec2 factors; // alpha, beta
out vec4 y;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  float k = float(WIDTH * p.y + p.x) + 0.5;
  vec4 total = vec4(0.);
  for (int part = 0; part < parts; part++) {
    vec2 at = vec2(float(part) + 0.5, k);
#ifdef TRANSPOSED
    at = at.yx;
#endif
    total += textureLod(sums, at * sums_texel, 0.);
  }
  total *= factors.x;
#ifdef B
  total += factors.y * textureLod(b, gl_FragCoord.xy * b_texel, 0.);
#endif
  y = masked(total);
}
