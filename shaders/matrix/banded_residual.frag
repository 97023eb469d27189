// r <- b - A x in double-float, where A is a set of diagonals; x reads as zero outside. src/matrix/banded_residual.c bakes in, for example
//   TERMS  pairs x0 = fetched(tap[0].xy); pairs x1 = fetched(tap[1].xy); term(-at(d0), yzw_x(x0, x1)); ...
#include "include/border.glsl"
#include "matrix/residual.glsl"

uniform sampler2D x, x_low;
uniform sampler2D d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10;
uniform vec4 tap[TAPS];     // xy: how far away, in x's texture coordinates
uniform vec4 value[VALUES]; // of constant diagonals, four in one
uniform vec2 scale;         // from r's texture coordinates to x's
uniform vec3 row_end;       // linear layout: where x's rows end, and the step to the next one

pairs sum;

#define at(s) textureLod(s, uv, 0.)
#define term(a, x) accumulate(sum, a, x)
#define lanes(left, l, right, r) pairs(vec4(left.hi.l, right.hi.r), vec4(left.lo.l, right.lo.r))

pairs fetched(vec2 d) {
  vec2 p = uv * scale + d;
  if (p.x >= row_end.x)
    p += row_end.yz;
  return pairs(bordered(x, p), bordered(x_low, p));
}

void main() {
  sum = pairs(vec4(0.), vec4(0.));
  TERMS
  finish(sum);
}
