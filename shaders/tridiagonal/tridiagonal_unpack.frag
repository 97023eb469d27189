// x with the unknowns of the chosen systems (tridiagonal_backward.frag) in their places. `columns` has for each system its column (a row of 1024 systems to a row of texels), -1 where x
// stays as it is.
// PERIODIC: x = y - (v . y) / (1 + v . q) q from A' y = d and A' q = u (tridiagonal_pack.frag).
#include "include/layout.glsl"
#include "tridiagonal/tridiagonal_chosen.glsl"

uniform sampler2D even, odd, columns, old;
uniform vec2 even_texel, odd_texel, columns_texel;
#ifdef PERIODIC
uniform sampler2D even_corner, odd_corner;
#endif
out vec4 x;

#define UNKNOWN(even, odd, column, i)                                                                                  \
  float turn = floor((i) * (1. / float(AT_ONCE))), pair = floor(0.5 * turn);                                           \
  int k = int((i) - turn * float(AT_ONCE));                                                                            \
  return turn == 2. * pair ? textureLod(even, (vec2(column, pair) + 0.5) * even_texel, 0.)[k]                          \
                           : textureLod(odd, (vec2(column, pair) + 0.5) * odd_texel, 0.)[k];

float solution(float column, float i) { UNKNOWN(even, odd, column, i) }
#ifdef PERIODIC
float corner(float column, float i) { UNKNOWN(even_corner, odd_corner, column, i) }
#endif

float unknown(float column, float i) {
  float y = solution(column, i);
#ifdef PERIODIC
  float n = rows - 1.;
  vec4 first = rowOf(listed(column), 0.);
  float v = first.x / gammaOf(first);
  y -= corner(column, i) * (solution(column, 0.) + v * solution(column, n)) /
       (1. + corner(column, 0.) + v * corner(column, n));
#endif
  return y;
}

void main() {
  vec2 at = floor(gl_FragCoord.xy);
  x = texel(old);
  for (int lane = 0; lane < 4; lane++) {
    float element = 4. * at.x + float(lane);
#ifdef ALONG_X
    float system = at.y, i = element;
#else
    float system = element, i = at.y;
#endif
    vec2 cell = vec2(mod(system, 1024.), floor(system * (1. / 1024.)));
    float column = textureLod(columns, (cell + 0.5) * columns_texel, 0.).x;
    if (column >= 0. && i < rows)
      x[lane] = unknown(column, i);
  }
  x = masked(x);
}
