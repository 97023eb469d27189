// What is derived from the velocity, at the centres of cells. Baked in: VIEW, 0: speed, 1: vorticity h (v_x - u_y),
// 2: divergence h div
#include "sim/flow.glsl"
uniform sampler2D fluid;
uniform float factor;

vec4 kernel() {
  vec4 a = U(0, 0), w = U(-1, 0), b = V(0, 0), s = V(0, -1);
#if VIEW == 0
  vec4 x = 0.5 * (a + w), y = 0.5 * (b + s), value = sqrt(x * x + y * y);
#elif VIEW == 1
  vec4 value = 0.25 * (V(1, 0) + V(1, -1) - V(-1, 0) - V(-1, -1) - U(0, 1) - U(-1, 1) + U(0, -1) + U(-1, -1));
#else
  vec4 value = a - w + b - s;
#endif
  return factor * texel(fluid) * value;
}
