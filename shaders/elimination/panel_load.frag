// A panel from the matrix, 2 x 2 packed, the state of its rows, and candidates for its first step.
#include "elimination/candidates.glsl"

uniform sampler2D a;
#ifdef JORDAN
uniform int began; // the panel before, whose pivots are out of the game; 0: there was none
#endif
layout(location = 0) out vec4 group[8];

vec2 pairAt(int column, int row) {
  vec4 v = texelFetch(a, ivec2((first_column + column) / 2, (first_row + row) / 2), 0);
  return column >= columns ? vec2(0.) : row % 2 == 0 ? v.rg : v.ba;
}

vec4 groupOf(int row) { return vec4(pairAt(0, row), pairAt(2, row)); }

bool isActive(int row) {
#ifdef JORDAN
  if (began != 0 && stateOf(row) != 0.)
    return false;
#endif
  return first_row + row < matrix.x;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int row = p.x + 128 * p.y;
  float inside = float(first_row + row < matrix.x);
  for (int g = 0; g < 8; g++)
    group[g] = inside * vec4(pairAt(4 * g, row), g < 7 ? pairAt(4 * g + 2, row) : vec2(0.));
  group[7].z = isActive(row) ? 0. : -1.;
  group[7] = orCandidate(p, group[7]);
}
