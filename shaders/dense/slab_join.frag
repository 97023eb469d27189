// Four rows and eight columns in a texel of eight layers into blocks of 2 x 2: C <- alpha sum + beta C
#include "dense/dense.glsl"
#include "dense/slabs.glsl"

uniform sampler2DArray columns;
uniform sampler2D c;
uniform vec2 corner; // of C's texels in the target
uniform vec4 factor; // alpha, beta, shift of C
out vec4 result;

void main() {
  vec4 v = factor.x * texelOfSums(columns, ivec2(gl_FragCoord.xy - corner));
#ifdef C
  v += factor.y * texelFetch(c, ivec2(gl_FragCoord.xy + factor.zw), 0);
#endif
  result = maskedBlock(v);
}
