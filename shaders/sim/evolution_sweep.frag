// A sweep of Jacobi's method for (1 - c lap) x = b, for all fields at once: x <- x + weight D^-1 (b - (1 - c lap) x); x = b where c = 0.
#include "sim/evolution.glsl"
uniform sampler2D b_u, b_v, b_w, b_q;
uniform vec4 c; // of each field, over h^2
uniform float weight;

vec4 sweep(vec4 here, vec4 around, vec4 b, float c) {
  return c > 0. ? here + weight * ((b + c * around) / (1. + 4. * c) - here) : b;
}
#define SWEEP(f, b, c) sweep(f(0, 0), f(-1, 0) + f(1, 0) + f(0, -1) + f(0, 1), texel(b), c)

#if OUTPUTS == 1
vec4 kernel() { return SWEEP(u, b_u, c.x); }
#else
void kernel(out vec4 y[OUTPUTS]) {
  y[0] = SWEEP(u, b_u, c.x);
  y[1] = SWEEP(v, b_v, c.y);
#if OUTPUTS > 2
  y[2] = SWEEP(w, b_w, c.z);
#endif
#if OUTPUTS > 3
  y[3] = SWEEP(q, b_q, c.w);
#endif
}
#endif
