// The tridiagonal systems of one axis for the change of the level:
//     -l(i-1) x(i-1) + (1 + l(i-1) + l(i) + rim) x(i) - l(i) x(i+1) = what flows in,   l = share H link
// Outputs: the diagonals below, on and above the main one, the right-hand side.
#include "sim/water.glsl"
uniform sampler2D z, ground, star, link, depth, known;
uniform float share; // duration of the stage / d

void kernel(out vec4 y[4]) {
  vec4 above = share * at(depth, 0, 0), below = share * at(depth, -1, 0), a, q;
  vec4 up = above * at(link, 0, 0), down = below * at(link, -1, 0);
  rimFlow(z, ground, a, q);
  y[0] = -down;
  y[1] = 1. + up + down + a;
  y[2] = -up;
  y[3] = below * at(star, -1, 0) - above * at(star, 0, 0) + at(known, 0, -1) - at(known, 0, 0) - q;
}
