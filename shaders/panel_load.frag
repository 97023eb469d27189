// A panel from the matrix, 2 x 2 packed, and the state of its rows.
#include "include/panel.glsl"

uniform sampler2D a;
#ifdef JORDAN
uniform sampler2D last; // group 7 of the panel before: its pivots are out of the game
uniform int began;      // 0: there was none
#endif
layout(location = 0) out vec4 group[8];

vec2 pairAt(int column, int row) {
  vec4 v = texelFetch(a, ivec2((first_column + column) / 2, (first_row + row) / 2), 0);
  return column >= columns ? vec2(0.) : row % 2 == 0 ? v.rg : v.ba;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int row = p.x + 256 * p.y;
  bool inside = first_row + row < matrix.x;
  for (int g = 0; g < 8; g++)
    group[g] = vec4(pairAt(4 * g, row), g < 7 ? pairAt(4 * g + 2, row) : vec2(0.)) * float(inside);
  group[7].z = inside ? 0. : -1.;
#ifdef JORDAN
  if (began != 0)
    group[7].z = texelFetch(last, p, 0).z == 0. ? 0. : -1.;
#endif
}
