// The product of diagonals with multivectors. A shift by k elements is one by whole texels; src/matrix/banded_multivector.c bakes in, for
// example,
//   ENTRIES  float e0 = entry(d0);
//   SUM      e0 * shifted(0) + factor[0].x * zeroOutside(1)
#include "matrix/multivector.glsl"

uniform sampler2D d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11;
uniform vec4 shift[TERMS];    // x: columns, y: rows, in x's texture coordinates
uniform vec4 factor[FACTORS]; // constant diagonals
uniform vec3 row_end;         // linear layout: where x's rows end, and the step to the next one
uniform vec2 scale;           // from y's texture coordinates to x's

#define entry(d) texel(d).r // one element to a texel

vec2 placeOf(int k) {
  vec2 p = uv * scale + shift[k].xy;
  return p.x >= row_end.x ? p + row_end.yz : p;
}
MULTIVECTORS shifted(int k) { return multivectorsAt(placeOf(k)); }
MULTIVECTORS zeroOutside(int k) {
  vec2 p = placeOf(k);
  return p == clamp(p, 0., 1.) ? multivectorsAt(p) : MULTIVECTORS(0.);
}

void main() {
  ENTRIES
  finish(SUM);
}
