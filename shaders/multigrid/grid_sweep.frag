// One sweep of a smoother, or the residual, on a grid.
//   sweep     y <- x + factor (D^-1 (b - (A - D) x) - x), in the lanes of one colour or in all
//   RESIDUAL  y <- b - A x
//   START     x is not there yet: it is start * D^-1 b, the first sweep from zero
//   COLOURED  factor and start differ by lane and between even and odd rows
#include "multigrid/grid.glsl"

uniform sampler2D x, b;
uniform sampler2D a0, a1, a2, a3, diagonal, a5, a6, a7, a8; // diagonal: D for the residual, else D^-1
uniform vec2 x_texel;
#ifdef COLOURED
uniform vec4 factor_even, factor_odd, start_even, start_odd;
#define FACTOR(row) (oddRow(row) ? factor_odd : factor_even)
#define FIRST(row) (oddRow(row) ? start_odd : start_even)
#else
uniform float factor, start;
#define FACTOR(row) factor
#define FIRST(row) start
#endif
#ifdef UNIFORM
uniform vec4 interior[3];
#define A(k, s) interior[k >> 2][k & 3]
#define D interior[1].x
#else
#define A(k, s) textureLod(s, here, 0.)
#define D textureLod(diagonal, here, 0.)
#endif
out vec4 y;

// What makes x at texel p from b.
#ifdef UNIFORM
#define STARTED(p) (interior[1].x * FIRST((p).y))
#else
#define STARTED(p) (textureLod(diagonal, classAt(p), 0.) * FIRST((p).y))
#endif

struct Row {
  vec4 west, centre, east;
};

vec4 texelOf(vec2 d) {
#ifdef START
  return textureLod(x, uv + d * x_texel, 0.) * STARTED(place() + d);
#else
  return textureLod(x, uv + d * x_texel, 0.);
#endif
}

#ifdef ELEMENTS
float element(ivec2 i) {
  int column = wrapped(i.x, grid.x, grid.z), row = wrapped(i.y, grid.y, grid.w);
  vec4 texel = texelFetch(x, ivec2(column >> 2, row), 0);
#ifdef START
  texel *= STARTED(vec2(column >> 2, row));
#endif
  return texel[column & 3];
}
Row rowAt(float dy) {
  vec2 p = place();
  ivec2 i = ivec2(4. * p.x, p.y + dy);
  float e[6];
  for (int k = 0; k < 6; k++)
    e[k] = element(i + ivec2(k - 1, 0));
  vec4 centre = dy == 0. ? texelOf(vec2(0.)) : vec4(e[1], e[2], e[3], e[4]); // its padding is zero
  return Row(vec4(e[0], e[1], e[2], e[3]), centre, vec4(e[2], e[3], e[4], e[5]));
}
#else
Row rowAt(float dy) {
  vec4 west = texelOf(vec2(-1., dy)), centre = texelOf(vec2(0., dy)), east = texelOf(vec2(1., dy));
  return Row(vec4(west.w, centre.xyz), centre, vec4(centre.yzw, east.x));
}
#endif

void main() {
#ifndef UNIFORM
  vec2 here = classAt(place());
#endif
  Row below = rowAt(-1.), middle = rowAt(0.), above = rowAt(1.);
  vec4 sum = A(1, a1) * below.centre + A(3, a3) * middle.west + A(5, a5) * middle.east + A(7, a7) * above.centre;
#ifdef NINE
  sum += A(0, a0) * below.west + A(2, a2) * below.east + A(6, a6) * above.west + A(8, a8) * above.east;
#endif
  vec4 rest = textureLod(b, uv, 0.) - sum;
#ifdef RESIDUAL
  y = rest - D * middle.centre;
#else
  y = middle.centre + FACTOR(place().y) * (D * rest - middle.centre);
#endif
}
