// u -= a (q_E - q), v -= a (q_N - q) where the faces are open; p += b q, with the correction q = scalar.x times what is in `p`
#include "sim/flow.glsl"
uniform sampler2D open_u, open_v, pressure;
uniform vec2 scale; // a, b

void kernel(out vec4 y[3]) {
  vec4 q = P(0, 0), a = texel(u), b = texel(v);
  y[0] = mix(a, a - scale.x * scalar.x * (P(1, 0) - q), greaterThan(texel(open_u), vec4(0.)));
  y[1] = mix(b, b - scale.x * scalar.x * (P(0, 1) - q), greaterThan(texel(open_v), vec4(0.)));
  y[2] = texel(pressure) + scale.y * scalar.x * q;
}
