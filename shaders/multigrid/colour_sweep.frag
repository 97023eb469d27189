// Half of a red-black sweep: the points of one colour from those of the other, z = D^-1 (own - sum), where sum = (A - D) other and own
// is what b has for these points.
//   START      black, where red is D^-1 b already
//   WHOLE      z, of black from red, and red itself, in a whole grid; ADD: added to x
//   RESULT     otherwise: what y is, a formula in z and sum; of red points, or with
//   BLACK      of black ones
//   OWN_WHOLE  b is a whole grid
//   OWN_HALF   b is a half; without both own is zero
//   SUM        total is x + y
#include "include/border.glsl"
#include "multigrid/colours.glsl"

uniform sampler2D b;
uniform sampler2D other; // the half that is known
uniform sampler2D x, old;
uniform vec2 b_texel, other_texel;
layout(location = 0) out vec4 y;
#ifdef SUM
layout(location = 1) out vec4 total;
#endif

struct Eight { // columns
  vec4 even, odd;
};
vec4 fetchB(vec2 p) { return bordered(b, (p + 0.5) * b_texel); }
Eight eightAt(vec2 p) {
  vec4 u = fetchB(vec2(2. * p.x, p.y)), v = fetchB(vec2(2. * p.x + 1., p.y));
  return Eight(vec4(u.xz, v.xz), vec4(u.yw, v.yw));
}

const vec2 up = vec2(0., 1.);

#if defined(START)
void main() {
  vec2 p = place();
  bool even = odd(p.y);
  Eight here = eightAt(p), south = eightAt(p - up), north = eightAt(p + up);
  vec4 next = fetchB(vec2(2. * p.x + (even ? -1. : 2.), p.y));
  vec4 sum = beside(even ? here.odd : here.even, next, even);
  sum += SOUTH * (even ? south.even : south.odd) + NORTH * (even ? north.even : north.odd);
  y = masked(INVERSE * ((even ? here.even : here.odd) - INVERSE * sum), columnsOf(p.x, even));
}
#elif defined(RESULT)
vec4 ownAt(vec2 p, bool even) {
#if defined(OWN_WHOLE)
  Eight own = eightAt(p);
  return even ? own.even : own.odd;
#elif defined(OWN_HALF)
  return texel(b);
#else
  return vec4(0.);
#endif
}

void main() {
  vec2 p = place(), dx = vec2(other_texel.x, 0.), dy = vec2(0., other_texel.y);
#ifdef BLACK
  bool even = odd(p.y);
#else
  bool even = !odd(p.y);
#endif
  vec4 next = nextTo(p.x, even) * textureLod(other, even ? uv - dx : uv + dx, 0.);
  vec4 sum = beside(textureLod(other, uv, 0.), next, even);
  sum += southOf(p.y) * textureLod(other, uv - dy, 0.) + northOf(p.y) * textureLod(other, uv + dy, 0.);
  vec4 z = INVERSE * (ownAt(p, even) - sum);
  y = masked(RESULT, columnsOf(p.x, even));
#ifdef SUM
  total = texel(x) + y;
#endif
}
#else
void main() {
  vec2 p = place(), dx = vec2(other_texel.x, 0.), dy = vec2(0., other_texel.y);
  bool even = odd(p.y), second = odd(p.x); // the second half of a texel of red
  float half_texel = floor(0.5 * p.x);
  vec2 q = (vec2(half_texel, p.y) + 0.5) * other_texel;
  vec4 red = textureLod(other, q, 0.), own = textureLod(b, uv, 0.);
  vec4 sum = beside(red, nextTo(half_texel, even) * textureLod(other, even ? q - dx : q + dx, 0.), even);
  sum += southOf(p.y) * textureLod(other, q - dy, 0.) + northOf(p.y) * textureLod(other, q + dy, 0.);
  vec2 r = second ? red.zw : red.xy;
  vec2 z = INVERSE * ((even ? own.xz : own.yw) - (second ? sum.zw : sum.xy));
  y = masked(even ? vec4(z.x, r.x, z.y, r.y) : vec4(r.x, z.x, r.y, z.y), 4. * p.x + vec4(0., 1., 2., 3.));
#ifdef ADD
  y += textureLod(x, uv, 0.);
#endif
}
#endif
