// The systems' right-hand sides r and main diagonals D, scaled: s = D^-1/2, and s r.
#include "sim/water_five.glsl"

vec4 flowX(int dx) { return share.x * neighbours(depth_x, dx, 0) * neighbours(star_x, dx, 0) + neighbours(known_x, dx, 0); }
vec4 flowY(int dy) { return share.y * neighbours(depth_y, 0, dy) * neighbours(star_y, 0, dy) + neighbours(known_y, 0, dy); }

void kernel(out vec4 y[2]) {
  vec4 a, q;
  rimFlow(z, ground, a, q);
  y[0] = inversesqrt(1. + a + pullX(0, 0) + pullX(-1, 0) + pullY(0, 0) + pullY(0, -1));
  y[1] = y[0] * (flowX(-1) - flowX(0) + flowY(-1) - flowY(0) - q);
}
