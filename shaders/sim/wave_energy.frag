// Density 1/2 (u_t^2 + s^2 |grad u|^2): with a = x(t), b = x(t-1) and m = (a + b) / 2 at a point,
//   (a - b)^2 / (2 dt^2) + c^2 / (4 h^2) * sum over its links of w (m - m')^2
#include "sim/wave.glsl"
uniform sampler2D now, before;
uniform vec2 factor; // 1 / (2 dt^2), c^2 / (16 h^2)

vec4 part(int dx, int dy) {
  vec4 rise = texel(now) + texel(before) - beside(now, dx, dy) - beside(before, dx, dy);
  return link(texel(medium), beside(medium, dx, dy)) * rise * rise;
}

vec4 kernel() {
  vec4 change = texel(now) - texel(before);
  return factor.x * change * change + factor.y * (part(-1, 0) + part(1, 0) + part(0, -1) + part(0, 1));
}
