// Each field += amount exp(-r^2 / radius^2) around a point, on periodic axes also across their ends.
#include "sim/evolution.glsl"
uniform vec4 amount; // of each field
uniform vec3 bell;   // x, y, radius

vec4 away(vec4 d, float length, bool periodic) { return periodic ? d - length * floor(d / length + .5) : d; }

vec4 shape() {
  bool around_x = false, around_y = false;
#ifdef PERIODIC_X
  around_x = true;
#endif
#ifdef PERIODIC_Y
  around_y = true;
#endif
  vec4 x = away(at_x(0, 0) - bell.x, grid.x * grid.z, around_x) / bell.z;
  vec4 y = away(at_y(0, 0) - bell.y, grid.y * grid.z, around_y) / bell.z;
  return exp(-x * x - y * y);
}

#if OUTPUTS == 1
vec4 kernel() { return texel(now_u) + amount.x * shape(); }
#else
void kernel(out vec4 y[OUTPUTS]) {
  vec4 s = shape();
  y[0] = texel(now_u) + amount.x * s;
  y[1] = texel(now_v) + amount.y * s;
#if OUTPUTS > 2
  y[2] = texel(now_w) + amount.z * s;
#endif
#if OUTPUTS > 3
  y[3] = texel(now_q) + amount.w * s;
#endif
}
#endif
