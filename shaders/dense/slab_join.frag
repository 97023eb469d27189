// Four rows and eight columns in a texel of eight layers into blocks of 2 x 2: C <- alpha sum + beta C
#include "dense/dense.glsl"
#include "dense/slabs.glsl"

uniform sampler2DArray columns;
uniform sampler2D c;
uniform vec2 corner; // of C's texels in the target
uniform vec4 factor; // alpha, beta, shift of C
out vec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy - corner);
  int four = p.y >> 1;
  ivec3 at = ivec3((p.x >> 2) * slab.x + (four & (slab.x - 1)), four / slab.x, 2 * (p.x & 3));
  vec4 one = texelFetch(columns, at, 0), two = texelFetch(columns, at + ivec3(0, 0, 1), 0);
  vec4 v = factor.x * ((p.y & 1) == 1 ? vec4(one.b, two.b, one.a, two.a) : vec4(one.r, two.r, one.g, two.g));
#ifdef C
  v += factor.y * texelFetch(c, ivec2(gl_FragCoord.xy + factor.zw), 0);
#endif
  result = maskedBlock(v);
}
