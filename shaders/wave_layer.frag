// x(t+1) in a perfectly matched layer, from `next` = B x(t) - x(t-1), with a = s_x dt / 2 and b = s_y dt / 2:
//   (1 + a + b) x(t+1) = next + (a + b) x(t-1) - 4 a b x(t) + p - p_W + q - q_S
#include "include/wave.glsl"
#include "include/wave_layer.glsl"
uniform sampler2D next, now, before, p, q;

vec4 kernel() {
  vec4 a = dampingX(0.), b = dampingY(0.);
  vec4 fluxes = texel(p) - beside(p, -1, 0) + texel(q) - beside(q, 0, -1);
  vec4 sum = texel(next) + (a + b) * texel(before) - 4. * a * b * texel(now) + fluxes;
  return mix(sum / (1. + a + b), vec4(0.), equal(texel(medium), vec4(0.)));
}
