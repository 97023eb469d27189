// y <- ca op(A) x + cb b, where A is a set of diagonals.
//   op(A) = A    y_i = sum over the diagonals k of d_k[i] x[i + k]
//   op(A) = A^T  y_j = sum over the diagonals k of d_k[j - k] x[j - k]
// A shift by k elements moves by whole texels and then takes four of the eight elements of two neighbours: the texels of x
// that are needed are fetched once each. src/ops/matvec_banded.c bakes in, for example,
//   FETCH  float u1 = o.x + shift[1].x; vec2 p0 = o, p1 = vec2(u1, o.y); vec4 x0 = near(x, 0, 0), x1 = at(x, p1);
//   SUM    c.x * (at(d0, uv) * vec4(x0.w, x1.xyz)) + factor[0].x * (x0 + x1) ...
//   PAIRS  the same for the inside, with fewer fetches: ... besides(p0, x0, x1, x2);
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D x, b;
uniform sampler2D d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13;
uniform vec4 shift[SHIFTS];   // x: columns, y: rows, in x's texture coordinates
flat in vec4 factor[FACTORS]; // ca times the values of constant diagonals
uniform vec2 scale;           // from y's texture coordinates to x's
uniform vec3 row_end;         // linear layout: where x's rows end, and the step to the next one
flat in vec2 c;               // ca, cb
out vec4 y;

#define at(s, p) textureLod(s, p, 0.)
#define near(s, x, y) textureLodOffset(s, o, 0., ivec2(x, y)) // cheaper than a shift

vec2 wrapped(vec2 p) { return p.x >= row_end.x ? p + row_end.yz : p; }

bool outside(vec2 p) { return p != clamp(p, 0., 1.); }

#ifdef RIM
vec4 zeroIf(bool outside, vec4 v) { return outside ? vec4(0.) : v; }
#else
#define zeroIf(outside, v) v
#endif

#if defined(RIM) || !defined(GL_ARB_derivative_control)
#define SOURCES FETCH
#else
// A texel's neighbours on both sides, where it has been fetched: the fragment beside it in its block of 2 x 2 holds one of them
// already. A derivative of which one side is zero hands it over exactly.
#define SOURCES odd = greaterThan(fract(quad), vec2(0.5)); PAIRS
noperspective in vec2 quad;
flat in vec2 texel_size;
bvec2 odd; // the second column, row of the block

#define PAIR(derivative, odd, outer, middle, low, high)                                                                \
  bvec4 second = bvec4(odd);                                                                                           \
  vec4 beyond = outer, nothing = vec4(0.);                                                                             \
  low = mix(beyond, derivative(mix(-middle, nothing, second)), second);                                                \
  high = mix(derivative(mix(nothing, middle, second)), beyond, second)

void besides(vec2 p, vec4 middle, out vec4 left, out vec4 right) {
  float d = odd.x ? texel_size.x : -texel_size.x;
  PAIR(dFdxFine, odd.x, at(x, vec2(p.x + d, p.y)), middle, left, right);
}

void stacked(vec2 p, vec4 middle, out vec4 below, out vec4 above) {
  float d = odd.y ? texel_size.y : -texel_size.y;
  PAIR(dFdyFine, odd.y, at(x, vec2(p.x, p.y + d)), middle, below, above);
}
#endif

void main() {
#ifdef SCALED
  vec2 o = uv * scale;
#else
  vec2 o = uv;
#endif
  SOURCES
#ifdef B
  y = masked(c.y * at(b, uv) + SUM);
#else
  y = masked(SUM);
#endif
}
