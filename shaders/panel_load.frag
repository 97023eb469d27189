// A panel from the matrix, 2 x 2 packed, and the state of its rows.
#include "include/panel.glsl"

uniform sampler2D a;
#ifdef JORDAN
uniform sampler2D panel; // the one before: its pivots are out of the game
uniform int began;       // the column of its state; 0: there was none
#endif
out vec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int row = first_row + 4 * p.y, column = first_column + p.x;
  vec4 inside = vec4(lessThan(float(row) + lanes_of_texel, vec4(float(matrix.x))));
  if (p.x == columns) {
    result = inside - 1.;
#ifdef JORDAN
    if (began != 0)
      result = -vec4(notEqual(texelFetch(panel, ivec2(began, p.y), 0), vec4(0.)));
#endif
    return;
  }
  int last = textureSize(a, 0).y - 1;
  vec4 up = texelFetch(a, ivec2(column / 2, row / 2), 0);
  vec4 low = texelFetch(a, ivec2(column / 2, min(row / 2 + 1, last)), 0);
  result = inside * (column % 2 == 0 ? vec4(up.rb, low.rb) : vec4(up.ga, low.ga));
}
