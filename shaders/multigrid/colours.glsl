// The points of a grid by colour, red where i + j is even, each in a texture of half the width: place h of row j is column
// 2 h, or 2 h + 1 where `even` is false. A neighbour above or below has the same place in the other colour's texture; of the two
// beside it one has, too, and the other is at h - 1 (even) or h + 1.
// The operator is the same everywhere, with five points and zeros beyond the boundary; coefficients as in grid.glsl, D inverted.
#include "include/pass.glsl"

uniform vec4 interior[3];
#define SOUTH interior[0].y
#define WEST interior[0].w
#define EAST interior[1].y
#define NORTH interior[1].w
#define INVERSE interior[1].x

vec2 place() { return gl_FragCoord.xy - 0.5; }
bool odd(float p) { return fract(0.5 * p) > 0.25; }

uniform vec2 size; // points of the grid
// What is fetched beyond the boundary counts nothing: sampling is clamped, which is faster than a border.
float southOf(float row) { return row > 0. ? SOUTH : 0.; }
float northOf(float row) { return row + 1. < size.y ? NORTH : 0.; }
// The next texel of a half, on the side that `even` says.
float nextTo(float texel, bool even) { return even ? float(texel > 0.) : float(8. * texel + 8. < size.x); }

// The other colour beside four points: `same` is at their places, `next` one texel further on the side that `even` says.
vec4 shifted(vec4 same, vec4 next, bool even) { return even ? vec4(next.w, same.xyz) : vec4(same.yzw, next.x); }
vec4 beside(vec4 same, vec4 next, bool even) {
  vec2 w = even ? vec2(WEST, EAST) : vec2(EAST, WEST);
  return w.x * shifted(same, next, even) + w.y * same;
}

// Zero from `count` on: what holds the columns `first`.
uniform float count;
#ifdef MASKED
vec4 masked(vec4 y, vec4 column) { return mix(vec4(0.), y, lessThan(column, vec4(count))); }
#else
vec4 masked(vec4 y, vec4 column) { return y; }
#endif
vec4 columnsOf(float texel, bool even) { return 8. * texel + vec4(0., 2., 4., 6.) + (even ? 0. : 1.); }
