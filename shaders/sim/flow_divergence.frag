// y[0] = -(u_E - u_W + v_N - v_S), the right-hand side of the pressure correction: minus h div; y[1]: at least the speed;
// y[2]: what flows through the faces of a cell, in and out
#include "sim/flow.glsl"
uniform sampler2D fluid, open_u, open_v; // fluid: 1, and 0 in obstacles
#ifdef CUT
#include "sim/flow_cut.glsl"
#endif

void kernel(out vec4 y[3]) {
  vec4 a = U(0, 0), b = V(0, 0), w = U(-1, 0), s = V(0, -1);
#ifdef CUT
  vec4 e = part(texel(open_u)) * a, n = part(texel(open_v)) * b;
  vec4 in_x = part(mapAt(open_u, -1, 0)) * w, in_y = part(mapAt(open_v, 0, -1)) * s;
#else
  vec4 e = a, n = b, in_x = w, in_y = s;
#endif
  y[0] = texel(fluid) * (in_x - e + in_y - n);
  y[2] = abs(in_x) + abs(e) + abs(in_y) + abs(n);
  a = max(abs(a), abs(w));
  b = max(abs(b), abs(s));
  y[1] = sqrt(a * a + b * b);
}
