// Many small products: each block of C is alpha op(A) op(B) + beta C of the blocks at the same place of the grids of blocks that the
// matrices are. All are in 2 x 2 packing, and blocks consist of whole texels.
// WIDE, HIGH: a fragment computes so many texels, which lie a tile of their block apart, each into a layer of its own (batch_join.frag);
// neighbouring fragments read neighbouring texels. Without them one, where it belongs.
#include "dense/dense.glsl"

uniform sampler2D a, b, c;
uniform vec4 blocks; // a tile, or a block of C, in texels: width, height; 1 / those
uniform vec4 sides;  // width and height of a block of A; of B
uniform vec3 terms;  // alpha, beta, texels of the inner dimension

#ifdef WIDE
layout(location = 0) out vec4 tile[WIDE * HIGH];
#else
#define WIDE 1
#define HIGH 1
#define DIRECT
vec4 tile[1];
out vec4 result;
#endif

void main() {
  vec2 p = floor(gl_FragCoord.xy), number = floor((p + 0.5) * blocks.zw);
  ivec2 at = ivec2(p - number * blocks.xy), left = ivec2(number * sides.xy), right = ivec2(number * sides.zw);
  ivec2 size = ivec2(blocks.xy);
#ifdef A_TRANSPOSED
  left.x += at.y;
#define LEFT(k, j) texelFetch(a, left + ivec2((j) * size.y, k), 0).rbga
#else
  left.y += at.y;
#define LEFT(k, j) texelFetch(a, left + ivec2(k, (j) * size.y), 0)
#endif
#ifdef B_TRANSPOSED
  right.y += at.x;
#define RIGHT(k, i) texelFetch(b, right + ivec2(k, (i) * size.x), 0).rbga
#else
  right.x += at.x;
#define RIGHT(k, i) texelFetch(b, right + ivec2((i) * size.x, k), 0)
#endif
  vec4 sum[WIDE * HIGH];
  for (int t = 0; t < WIDE * HIGH; t++)
    sum[t] = vec4(0.);
#ifdef INNER
  for (int k = 0; k < INNER; k++) {
#else
  for (int k = 0; k < int(terms.z); k++) {
#endif
    vec4 r[WIDE];
    for (int i = 0; i < WIDE; i++)
      r[i] = RIGHT(k, i);
    for (int j = 0; j < HIGH; j++) {
      vec4 l = LEFT(k, j);
      for (int i = 0; i < WIDE; i++) {
        sum[i + WIDE * j] += l.rrbb * r[i].rgrg;
        sum[i + WIDE * j] += l.ggaa * r[i].baba;
      }
    }
  }
  for (int t = 0; t < WIDE * HIGH; t++)
    tile[t] = sum[t];
#ifdef DIRECT
  tile[0] *= terms.x;
#ifdef C
  tile[0] += terms.y * texelFetch(c, ivec2(p), 0);
#endif
  result = maskedBlock(tile[0]);
#endif
}
