// y <- ca op(A) x + cb b, where A is a set of diagonals.
//   op(A) = A    y_i = sum over the diagonals k of d_k[i] x[i + k]
//   op(A) = A^T  y_j = sum over the diagonals k of d_k[j - k] x[j - k]
// A shift by k elements moves by whole texels and then takes four of the eight elements of two neighbours: the texels of x
// that are needed are fetched once each. src/matrix/banded_product.c bakes in, for example,
//   FETCH  float u1 = o.x + shift[1].x; vec2 p0 = o, p1 = vec2(u1, o.y); vec4 x0 = at(x, p0), x1 = at(x, p1);
//   DIAGONALS  vec4 a0 = at(d0, uv);
//   SUM    c.x * (a0 * vec4(x0.w, x1.xyz)) + factor[0].x * (x0 + x1) ...
//   PAIRS  the same with fewer fetches, where neighbours may be asked: ... besides(p0, x0, true, x1, x2);
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D x, b;
uniform sampler2D d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13;
uniform vec4 shift[SHIFTS];   // x: columns, y: rows, in x's texture coordinates
flat in vec4 factor[FACTORS]; // ca times the values of constant diagonals
uniform vec2 scale;           // from y's texture coordinates to x's
uniform vec3 row_end;         // linear layout: where x's rows end, and the step to the next one
uniform vec2 c;               // ca, cb
out vec4 y;

#define at(s, p) textureLod(s, p, 0.)
#define near(s, x, y) textureLodOffset(s, o, 0., ivec2(x, y)) // cheaper than a shift

vec2 wrapped(vec2 p) { return p.x >= row_end.x ? p + row_end.yz : p; }

bool outside(vec2 p) { return p != clamp(p, 0., 1.); }

vec4 zeroIf(bool outside, vec4 v) { return outside ? vec4(0.) : v; }

#if defined(RIM) || !defined(FINE_DERIVATIVES)
#define SOURCES FETCH
#else
// A texel's neighbours on both sides, where it has been fetched: the fragment beside it in its block of 2 x 2 holds one of them
// already. A derivative of which one side is zero hands it over exactly. [128^2 and 512^2 points, llvmpipe without workers: 20 and 276 us
// instead of 26 and 356 with a fetch for each; where all fragments ask where x ends, 1024^2 takes as long as with a rim apart.]
#define SOURCES odd = greaterThan(fract(quad), vec2(0.5)); PAIRS
noperspective in vec2 quad;
uniform vec2 x_texel;
bvec2 odd; // the second column, row of the block

#define PAIR(derivative, second, given, beyond, middle, low, high)                                                     \
  vec4 outer = beyond, nothing = vec4(0.);                                                                             \
  low = mix(outer, derivative(mix(-middle, nothing, bvec4(second))), bvec4(second));                                   \
  high = mix(derivative(mix(nothing, middle, bvec4(given))), outer, bvec4(second))

// Here rows may end, and zero lie beyond (u^2 > u outside 0..1), which a stored diagonal does not mind.
void besides(vec2 p, vec4 middle, bool zero, out vec4 left, out vec4 right) {
  float u = p.x + (odd.x ? x_texel.x : -x_texel.x);
  vec4 beyond = at(x, vec2(u, p.y));
  beyond = zero && (u * u > u || p.y * p.y > p.y) ? vec4(0.) : beyond;
  PAIR(dFdxFine, odd.x, odd.x && !(zero && p.x > 1.), beyond, middle, left, right);
}

void stacked(vec2 p, vec4 middle, bool zero, out vec4 below, out vec4 above) {
  float v = p.y + (odd.y ? x_texel.y : -x_texel.y);
  vec4 beyond = at(x, vec2(p.x, v));
  beyond = zero && v * v > v ? vec4(0.) : beyond;
  PAIR(dFdyFine, odd.y, odd.y && !(zero && p.y > 1.), beyond, middle, below, above);
}
#endif

void main() {
#ifdef SCALED
  vec2 o = uv * scale;
#else
  vec2 o = uv;
#endif
#ifdef B // what comes from memory first, then what may still be near
  vec4 start = c.y * at(b, uv);
#else
  vec4 start = vec4(0.);
#endif
  DIAGONALS
  SOURCES
  y = masked(start + SUM);
}
