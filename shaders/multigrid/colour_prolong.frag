// Black <- black + P e: a black point lies amid two coarse ones, beside it in odd rows, above and below in even ones.
#include "include/border.glsl"
#include "multigrid/colours.glsl"

uniform sampler2D black, e;
uniform vec2 e_texel;
out vec4 y;

vec4 fetch(vec2 p) { return bordered(e, (p + 0.5) * e_texel); }

void main() {
  vec2 p = place(), at = vec2(p.x, floor(0.5 * p.y));
  bool even = odd(p.y);
  vec4 here = fetch(at), other = fetch(at - (even ? vec2(1., 0.) : vec2(0., 1.)));
  other = even ? vec4(other.w, here.xyz) : other;
  y = masked(textureLod(black, uv, 0.) + 0.5 * (here + other), columnsOf(p.x, even));
}
