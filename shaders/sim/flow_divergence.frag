// y[0] = -(u_E - u_W + v_N - v_S), the right-hand side of the pressure correction: minus h div; y[1]: at least the speed
#include "sim/flow.glsl"
uniform sampler2D fluid; // 1, and 0 in obstacles

void kernel(out vec4 y[2]) {
  vec4 a = U(0, 0), b = V(0, 0), w = U(-1, 0), s = V(0, -1);
  y[0] = texel(fluid) * (w - a + s - b);
  a = max(abs(a), abs(w));
  b = max(abs(b), abs(s));
  y[1] = sqrt(a * a + b * b);
}
