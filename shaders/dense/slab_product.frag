// Four rows and eight columns of a product: the sum over k of a (four rows, a texel) times b (eight columns, two vectors of the uniform
// block). A texel of A serves 32 multiply-adds.
#include "dense/slabs.glsl"

layout(std140) uniform Right {
  vec4 right[2 * BLOCK];
};
uniform sampler2D a;
uniform ivec2 inner; // first k, how many: whole strips, but for the last one, which is a multiple of four

layout(location = 0) out vec4 column[8];

vec4 sum[8];

void addProducts(ivec2 at, int k) {
  vec4 left = texelFetch(a, at, 0), r = right[2 * k], s = right[2 * k + 1];
  sum[0] += left * r.x;
  sum[1] += left * r.y;
  sum[2] += left * r.z;
  sum[3] += left * r.w;
  sum[4] += left * s.x;
  sum[5] += left * s.y;
  sum[6] += left * s.z;
  sum[7] += left * s.w;
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  at = ivec2(at.x & (slab.x - 1), at.y + slab.y * (inner.x / STRIP));
  for (int j = 0; j < 8; j++)
    sum[j] = vec4(0.);
  for (int first = 0; first < inner.y; first += STRIP) {
    int end = min(first + STRIP, inner.y);
    ivec2 walk = at;
    for (int k = first; k < end; k += 4) {
      addProducts(walk, k);
      addProducts(walk + ivec2(slab.x, 0), k + 1);
      addProducts(walk + ivec2(2 * slab.x, 0), k + 2);
      addProducts(walk + ivec2(3 * slab.x, 0), k + 3);
      walk.x += 4 * slab.x;
    }
    at.y += slab.y;
  }
  for (int j = 0; j < 8; j++)
    column[j] = sum[j];
}
