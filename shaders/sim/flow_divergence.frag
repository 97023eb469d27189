// y[0] = -(u_E - u_W + v_N - v_S), the right-hand side of the pressure correction: minus h div; y[1]: at least the speed
#include "sim/flow.glsl"
uniform sampler2D fluid, open_u, open_v; // fluid: 1, and 0 in obstacles
#ifdef CUT
#include "sim/flow_cut.glsl"
#endif

void kernel(out vec4 y[2]) {
  vec4 a = U(0, 0), b = V(0, 0), w = U(-1, 0), s = V(0, -1);
#ifdef CUT
  y[0] = texel(fluid) * (part(mapAt(open_u, -1, 0)) * w - part(texel(open_u)) * a +
                         part(mapAt(open_v, 0, -1)) * s - part(texel(open_v)) * b);
#else
  y[0] = texel(fluid) * (w - a + s - b);
#endif
  a = max(abs(a), abs(w));
  b = max(abs(b), abs(s));
  y[1] = sqrt(a * a + b * b);
}
