// Half of a red-black sweep: one colour from the other, x <- D^-1 (b - (A - D) other).
//   START  black, where red is D^-1 b already
//   RED    red, from black
//   otherwise black, from red, and factor times both into a whole grid; ADD: added to x
#include "include/border.glsl"
#include "multigrid/colours.glsl"

uniform sampler2D b;     // a whole grid
uniform sampler2D other; // the half that is known
uniform sampler2D x;
uniform float factor;
uniform vec2 b_texel, other_texel;
out vec4 y;

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
#elif defined(RED)
void main() {
  vec2 p = place(), dx = vec2(other_texel.x, 0.), dy = vec2(0., other_texel.y);
  bool even = !odd(p.y);
  Eight own = eightAt(p);
  vec4 next = nextTo(p.x, even) * textureLod(other, even ? uv - dx : uv + dx, 0.);
  vec4 sum = beside(textureLod(other, uv, 0.), next, even);
  sum += southOf(p.y) * textureLod(other, uv - dy, 0.) + northOf(p.y) * textureLod(other, uv + dy, 0.);
  y = masked(INVERSE * ((even ? own.even : own.odd) - sum), columnsOf(p.x, even));
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
  y = factor * masked(even ? vec4(z.x, r.x, z.y, r.y) : vec4(r.x, z.x, r.y, z.y), 4. * p.x + vec4(0., 1., 2., 3.));
#ifdef ADD
  y += textureLod(x, uv, 0.);
#endif
}
#endif
