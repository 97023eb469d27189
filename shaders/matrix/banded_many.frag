// y <- ca op(A) x + cb b for matrices of many diagonals. Where each lies is data, so that all of them share a few programs
// (src/matrix/banded_many.c), while those of a few diagonals are written for them (banded.frag).
//   SUM   the terms of this pass: stored(0, d0) + stored(1, d1) ..., or constant(0) + constant(1) ...
//   TRANSPOSED, B
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D x, b;
uniform sampler2D d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13;
uniform vec4 place[TERMS]; // of a diagonal's elements of x: columns and rows of texels, in x's texture coordinates; lane; constant value
uniform vec2 scale;        // from y's texture coordinates to x's
uniform vec4 row_end;      // linear layout: where x's rows end, and the step to the next one; the width of a texel
uniform vec2 c;            // ca, cb
out vec4 y;

#define at(s, p) textureLod(s, p, 0.)

vec2 wrapped(vec2 p) { return p.x >= row_end.x ? p + row_end.yz : p; }
vec4 zeroOutside(vec2 p) { return p == clamp(p, 0., 1.) ? at(x, p) : vec4(0.); }

// Four of the eight elements of two texels.
vec4 lanes(vec4 low, vec4 high, float first) {
  vec4 even = first < 1. ? low : vec4(low.zw, high.xy), odd = first < 2. ? vec4(low.yzw, high.x) : vec4(low.w, high.xyz);
  return first == 1. || first == 3. ? odd : even;
}

#ifdef TRANSPOSED
#define product(d, p) (at(d, p) * zeroOutside(p))
#define of(d, v) v
#else
#define product(d, p) zeroOutside(p)
#define of(d, v) (at(d, uv) * v)
#endif
#define lowOf(k) wrapped(uv * scale + place[k].xy)
#define highOf(k) wrapped(uv * scale + place[k].xy + vec2(row_end.w, 0.))
#define stored(k, d) of(d, lanes(product(d, lowOf(k)), product(d, highOf(k)), place[k].z))
#define constant(k) (place[k].w * lanes(zeroOutside(lowOf(k)), zeroOutside(highOf(k)), place[k].z))

void main() {
#ifdef B
  vec4 start = c.y * at(b, uv);
#else
  vec4 start = vec4(0.);
#endif
  y = masked(start + c.x * (SUM));
}
