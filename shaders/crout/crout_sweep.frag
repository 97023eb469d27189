// One sweep of the iterative Crout method over sections of Z (C2), 2 x 2 packed. R is A less the products of what lies before the
// section, so that sums begin where the section of the diagonal in the same row or column begins:
//     z_ij <- r_ij - sum over first <= k < j of z_ik z_kj            i >= j (L)
//     z_ij <- (r_ij - sum over first <= k < i of z_ik z_kj) / z_ii   i <  j (U)
// All z on the right are those of the sweep before. Products of tiles one of which is zero are left out.
#include "dense/dense.glsl"

uniform sampler2D r, z, fill;
uniform float tile;   // texels of a tile's side
flat in float first;  // texel where the section's sums begin: the first one of a tile
out vec4 result;

vec4 at(float column, float row) { return texelFetch(z, ivec2(int(column), int(row)), 0); }
bool isFilled(float column, float row) { return texelFetch(fill, ivec2(int(column), int(row)), 0).r != 0.; }

void main() {
  vec2 p = floor(gl_FragCoord.xy), here = floor(p / tile);
  float end = min(p.x, p.y); // sums go over whole texels up to here, and then over part of this one
  vec4 sum = vec4(0.);
  for (float t = floor(first / tile); t * tile < end; t += 1.)
    if (isFilled(t, here.y) && isFilled(here.x, t)) {
      float stop = min(end, (t + 1.) * tile);
      for (float k = t * tile; k < stop; k += 1.) {
        vec4 left = at(k, p.y), above = at(p.x, k);
        sum += left.rrbb * above.rgrg + left.ggaa * above.baba;
      }
    }
  vec4 old = at(p.x, p.y), pivot = at(end, end), v = texelFetch(r, ivec2(p), 0) - sum;
  if (p.y > p.x) { // L: the second column lacks the first one's product
    v -= vec4(0., old.r * pivot.g, 0., old.b * pivot.g);
  } else if (p.y < p.x) { // U: the second row lacks the first one's product
    v -= vec4(0., 0., pivot.b * old.rg);
    v /= pivot.rraa;
  } else {
    v = vec4(v.r, v.g / old.r, v.b, v.a - old.b * old.g);
  }
  result = maskedBlock(v);
}
