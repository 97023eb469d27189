// Texels on and below the diagonal into their places, from the sums of a product by slabs: C += factor sum. The upper entry of a block on the
// diagonal stays zero.
#include "dense/slabs.glsl"

uniform sampler2DArray columns;
uniform float factor;
uniform int skipped; // texels of the sums' diagonal before the triangle's first one
noperspective in vec2 local;
flat in vec4 place; // x: turn
out vec4 result;

void main() {
  ivec2 p = ivec2(local);
  vec4 v = factor * texelOfSums(columns, p + skipped);
  if (p.x == p.y)
    v.g = 0.;
  result = place.x < 0. ? v.abgr : v;
}
