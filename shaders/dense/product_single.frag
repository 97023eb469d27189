// One texel of C <- alpha op(A) op(B) + beta C in one fragment, straight from the operands: the documents' single-pass product.
// A texel of op(A) lies at a_start + row * a_walk.xy + k * a_walk.zw in texture coordinates, one of op(B) at b_start + column *
// b_walk.xy + k * b_walk.zw. A transposed operand's 2 x 2 blocks are transposed, too (A_SWAPPED, B_SWAPPED).
#include "dense/dense.glsl"

uniform sampler2D a, b, c;
uniform vec2 a_start, b_start;
uniform vec4 a_walk, b_walk;
uniform vec2 corner; // texel of the target where C begins
uniform float inner; // texels
uniform vec4 factor; // alpha, beta, shift of C
out vec4 result;

void main() {
  vec2 place = floor(gl_FragCoord.xy) - corner;
  vec2 left = a_start + place.y * a_walk.xy, right = b_start + place.x * b_walk.xy;
  vec4 sum = vec4(0.);
  for (float k = 0.; k < inner; k += 1.) {
    vec4 l = textureLod(a, left + k * a_walk.zw, 0.), r = textureLod(b, right + k * b_walk.zw, 0.);
#ifdef A_SWAPPED
    l = l.rbga;
#endif
#ifdef B_SWAPPED
    r = r.rbga;
#endif
    sum += l.rrbb * r.rgrg;
    sum += l.ggaa * r.baba;
  }
  vec4 v = factor.x * sum;
#ifdef C
  v += factor.y * texelFetch(c, ivec2(gl_FragCoord.xy) + ivec2(factor.zw), 0);
#endif
  result = maskedBlock(v);
}
