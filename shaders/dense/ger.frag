// A <- A + alpha x y^T, 2 x 2 packed; x and y are linear vectors. FULL: all lanes are entries.
#include "dense/dense.glsl"

uniform sampler2D a, x, y;
uniform vec2 a_texel, x_texel, y_texel;
uniform float alpha;
out vec4 result;

// Elements 2k and 2k + 1.
#define PAIR(s, texel, k) pair(textureLod(s, (vec2(k >> 1 & WIDTH - 1, (k >> 1) / WIDTH) + 0.5) * texel, 0.), k)
vec2 pair(vec4 v, int k) { return (k & 1) == 0 ? v.xy : v.zw; }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec2 row = alpha * PAIR(x, x_texel, p.y), column = PAIR(y, y_texel, p.x);
  result = textureLod(a, gl_FragCoord.xy * a_texel, 0.) + row.xxyy * column.xyxy;
#ifndef FULL
  result = maskedBlock(result);
#endif
}
