// One tile of the product into its place: C <- alpha tile + beta C
#include "dense/dense.glsl"

uniform sampler2D a, c;
uniform ivec4 shift; // from here to the tile's texel, and to C's
uniform vec2 factor; // alpha, beta
out vec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 v = factor.x * texelFetch(a, p + shift.xy, 0);
#ifdef C
  v += factor.y * texelFetch(c, p + shift.zw, 0);
#endif
  result = maskedBlock(v);
}
