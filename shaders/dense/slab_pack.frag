// Four rows of op(A), or four columns of op(B), at one inner index k: texels for the product by slabs. With BLOCKS they are the uniform
// blocks of B: row r of the target is the block of eight columns r % block.x, and of the indices from (r / block.x) times half of
// its width on. Zero beyond the operand.
#include "dense/slabs.glsl"

uniform sampler2D a;
uniform ivec4 from;  // first texel, in A; zw: texels along the inner index and across it
uniform ivec2 block; // how many eights of columns; k in a block
out vec4 four;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
#ifdef BLOCKS
  int k = p.y / block.x * block.y + p.x / 2, outer = 4 * (p.y % block.x) + 2 * (p.x & 1);
#else
  int k = p.x / slab.x + STRIP * (p.y / slab.y), outer = 2 * (p.x % slab.x + slab.x * (p.y % slab.y));
#endif
  bool odd = (k & 1) == 1;
  int inner = k / 2;
#ifdef ALONG_X
  vec4 one = texelFetch(a, from.xy + ivec2(inner, outer), 0), two = texelFetch(a, from.xy + ivec2(inner, outer + 1), 0);
  vec4 v = odd ? vec4(one.ga, two.ga) : vec4(one.rb, two.rb);
#else
  vec4 one = texelFetch(a, from.xy + ivec2(outer, inner), 0), two = texelFetch(a, from.xy + ivec2(outer + 1, inner), 0);
  vec4 v = odd ? vec4(one.ba, two.ba) : vec4(one.rg, two.rg);
#endif
  bvec2 here = lessThan(ivec2(outer, outer + 1), from.ww);
  v = mix(vec4(0.), v, bvec4(here.xx, here.yy));
  four = inner < from.z ? v : vec4(0.);
}
