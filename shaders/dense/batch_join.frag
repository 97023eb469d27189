// The tiles of many small products into their places: C <- alpha tile + beta C (batch.frag)
#include "dense/dense.glsl"

uniform sampler2DArray tiles; // a layer for each of WIDE x HIGH tiles of a block, of all blocks
uniform sampler2D c;
uniform vec4 blocks; // a tile in texels: width, height; 1 / those
uniform vec3 terms;  // alpha, beta, -
out vec4 result;

void main() {
  vec2 p = floor(gl_FragCoord.xy), number = floor((p + 0.5) * blocks.zw); // of a tile in C
  vec2 block = floor((number + 0.5) / vec2(WIDE, HIGH)), within = number - block * vec2(WIDE, HIGH);
  ivec2 at = ivec2(p - number * blocks.xy + block * blocks.xy);
  vec4 v = terms.x * texelFetch(tiles, ivec3(at, int(within.x) + WIDE * int(within.y)), 0);
#ifdef C
  v += terms.y * texelFetch(c, ivec2(p), 0);
#endif
  result = maskedBlock(v);
}
