// Many small products: each block of C is alpha op(A) op(B) + beta C of the blocks at the same place of the grids of blocks that the
// matrices are. All are in 2 x 2 packing, and blocks consist of whole texels.
#include "dense/dense.glsl"

uniform sampler2D a, b, c;
uniform vec4 blocks; // a block of C in texels: width, height; 1 / those
uniform vec4 sides;  // width and height of a block of A; of B
uniform vec3 terms;  // alpha, beta, texels of the inner dimension
out vec4 result;

void main() {
  vec2 p = floor(gl_FragCoord.xy), number = floor((p + 0.5) * blocks.zw);
  ivec2 at = ivec2(p - number * blocks.xy), left = ivec2(number * sides.xy), right = ivec2(number * sides.zw);
#ifdef A_TRANSPOSED
  left.x += at.y;
#define LEFT(k) texelFetch(a, left + ivec2(0, k), 0).rbga
#else
  left.y += at.y;
#define LEFT(k) texelFetch(a, left + ivec2(k, 0), 0)
#endif
#ifdef B_TRANSPOSED
  right.y += at.x;
#define RIGHT(k) texelFetch(b, right + ivec2(k, 0), 0).rbga
#else
  right.x += at.x;
#define RIGHT(k) texelFetch(b, right + ivec2(0, k), 0)
#endif
  vec4 sum = vec4(0.);
#ifdef INNER
  for (int k = 0; k < INNER; k++) {
#else
  for (int k = 0; k < int(terms.z); k++) {
#endif
    vec4 l = LEFT(k), r = RIGHT(k);
    sum += l.rrbb * r.rgrg;
    sum += l.ggaa * r.baba;
  }
  sum *= terms.x;
#ifdef C
  sum += terms.y * texelFetch(c, ivec2(p), 0);
#endif
  result = maskedBlock(sum);
}
