// The other diagonals, scaled as well: -s pull s(neighbour) to the right, left, above, below. The main one is 1.
#include "sim/water_five.glsl"
uniform sampler2D scale;

void kernel(out vec4 y[4]) {
  vec4 s = -texel(scale);
  y[0] = s * pullX(0, 0) * neighbours(scale, 1, 0);
  y[1] = s * pullX(-1, 0) * neighbours(scale, -1, 0);
  y[2] = s * pullY(0, 0) * neighbours(scale, 0, 1);
  y[3] = s * pullY(0, -1) * neighbours(scale, 0, -1);
}
