// One fixed-point sweep of an incomplete factorization on the pattern of A (src/krylov/incomplete.h): entry e <- (a_e - sum of the products
// of its pairs) / z_pivot. All on the right are of the sweep before. Two entries behind the last one hold 0 and 1: what a pair that
// does not exist points to, and the pivot of L's entries.
#include "matrix/table.glsl"

uniform sampler2D a, z;
uniform isampler2D entry, pairs; // entry: first texel of its pairs, the one after the last, pivot; pairs: two to a texel
uniform vec2 a_texel, z_texel, entry_texel, pairs_texel;
uniform int z_shift, pairs_shift;
uniform int count; // of entries, with those two
out float next;

float at(int position) { return item(z, z_texel, position, z_shift).r; }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int e = (p.y << z_shift) + p.x;
  next = 0.;
  if (e >= count)
    return;
  ivec4 which = item(entry, entry_texel, e, z_shift);
  float sum = 0.;
  for (int k = which.x; k < which.y; k++) {
    ivec4 pair = item(pairs, pairs_texel, k, pairs_shift);
    sum += at(pair.x) * at(pair.y) + at(pair.z) * at(pair.w);
  }
  next = (item(a, a_texel, e, z_shift).r - sum) / at(which.z);
}
