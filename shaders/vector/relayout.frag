// y <- x, where x and y hold the same elements in different layouts (rows of y_row and x_row elements).
#include "include/layout.glsl"

uniform sampler2D x;
uniform int x_row, y_row;
out vec4 y;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  bvec4 valid = inside();
  y = vec4(0.);
  for (int lane = 0; lane < 4; lane++) {
    int i = p.y * y_row + 4 * p.x + lane;
    int column = i % x_row;
    if (valid[lane])
      y[lane] = texelFetch(x, ivec2(column / 4, i / x_row), 0)[column % 4];
  }
}
