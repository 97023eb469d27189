// As water_correct.frag, for both axes. Outputs: u, v, flows to the right and above, the part.
#include "sim/water_five.glsl"
uniform sampler2D change;

vec4 velocityX(int dx) { return neighbours(star_x, dx, 0) - neighbours(link_x, dx, 0) * (neighbours(change, dx + 1, 0) - neighbours(change, dx, 0)); }
vec4 velocityY(int dy) { return neighbours(star_y, 0, dy) - neighbours(link_y, 0, dy) * (neighbours(change, 0, dy + 1) - neighbours(change, 0, dy)); }
vec4 flowX(int dx, vec4 u) { return share.x * neighbours(depth_x, dx, 0) * u + neighbours(known_x, dx, 0); }
vec4 flowY(int dy, vec4 v) { return share.y * neighbours(depth_y, 0, dy) * v + neighbours(known_y, 0, dy); }

void kernel(out vec4 y[5]) {
  vec4 u = velocityX(0), v = velocityY(0), right = flowX(0, u), top = flowY(0, v), a, q;
  vec4 left = flowX(-1, velocityX(-1)), bottom = flowY(-1, velocityY(-1)), depth = texel(z) - texel(ground);
  rimFlow(z, ground, a, q);
  vec4 leaves = max(right, 0.) + max(-left, 0.) + max(top, 0.) + max(-bottom, 0.) + max(q + a * texel(change), 0.);
  y[0] = u;
  y[1] = v;
  y[2] = right;
  y[3] = top;
  y[4] = mix(vec4(1.), depth / leaves, greaterThan(leaves, depth));
}
