// X <- op(T)^-1 B for a diagonal block of up to a few texels: substitution. A fragment solves for its own texel of X, and for
// those before it, whose solutions it needs; so the block is one pass, and no inverse is formed.
// BACKWARD: op(T) is upper triangular. TRANSPOSED: op(T) = T^T. UNIT: ones stand on the diagonal. MOST: texels of the block.
// IDENTITY: B is the identity, and X the inverse, T being lower triangular. Rows beyond the matrix have a zero on the diagonal and zeros in B: their x is zero.
#include "include/pass.glsl"

uniform sampler2D t;
#ifndef IDENTITY
uniform sampler2D b;
#endif
uniform ivec2 corner; // the diagonal block's first texel in T
uniform ivec3 place;  // its texels, its first row of texels in B and in the target
out vec4 result;

// Texel (i, j) of op(T)'s block.
vec4 entryOfT(int i, int j) {
#ifdef TRANSPOSED
  return texelFetch(t, corner + ivec2(i, j), 0).rbga;
#else
  return texelFetch(t, corner + ivec2(j, i), 0);
#endif
}

// d^-1 s for a triangular 2 x 2 block d
vec4 solveBlock(vec4 d, vec4 s) {
#ifdef UNIT
  d.ra = vec2(1.);
#endif
#ifdef BACKWARD
  vec2 low = vec2(divZ(s.b, d.a), divZ(s.a, d.a));
  vec2 up = s.rg - d.g * low;
  return vec4(divZ(up.x, d.r), divZ(up.y, d.r), low);
#else
  vec2 up = vec2(divZ(s.r, d.r), divZ(s.g, d.r));
  vec2 low = s.ba - d.b * up;
  return vec4(up, divZ(low.x, d.a), divZ(low.y, d.a));
#endif
}

// The texel that is solved for as the k-th; and the other way round.
int rowOf(int k) {
#ifdef BACKWARD
  return place.x - 1 - k;
#else
  return k;
#endif
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 x[MOST];
#ifdef IDENTITY
  int first = p.x / 4 * 4; // zeros before it: the same for fragments that are computed together
#else
  int first = 0;
#endif
  result = vec4(0.);
  for (int k = first, last = rowOf(p.y - place.z); k <= last; k++) {
    int row = rowOf(k);
#ifdef IDENTITY
    vec4 s = p.x == row ? vec4(1., 0., 0., 1.) : vec4(0.);
#else
    vec4 s = texelFetch(b, ivec2(p.x, place.y + row), 0);
#endif
    for (int q = first; q < k; q++) {
      vec4 l = entryOfT(row, rowOf(q));
      s -= l.rrbb * x[q].rgrg;
      s -= l.ggaa * x[q].baba;
    }
    result = x[k] = solveBlock(entryOfT(row, row), s);
  }
}
