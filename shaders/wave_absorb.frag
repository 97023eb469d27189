// The fluxes p and q of a perfectly matched layer (Grote and Sim 2010, in two dimensions), times dt^2 / h: p lies to the
// right of a point, q above it; s_x and s_y are the layers' damping rates there, w is the link's weight:
//   p_t = -s_x p + (s_y - s_x) w u_x,   q_t = -s_y q + (s_x - s_y) w u_y,   centred half a step before x(t)
#include "include/wave.glsl"
#include "include/wave_layer.glsl"
uniform sampler2D now, before, p, q;
uniform float beta;

vec4 advance(vec4 flux, vec4 own, vec4 other, vec4 weight, vec4 rise) {
  vec4 value = ((1. - own) * flux + (other - own) * beta * weight * rise) / (1. + own);
  return mix(value, vec4(0.), equal(weight, vec4(0.)));
}

void kernel(out vec4 y[2]) {
  vec4 m = texel(medium), u = texel(now) + texel(before);
  vec4 ue = beside(now, 1, 0) + beside(before, 1, 0), un = beside(now, 0, 1) + beside(before, 0, 1);
  y[0] = advance(texel(p), dampingX(0.5), dampingY(0.), link(m, beside(medium, 1, 0)), ue - u);
  y[1] = advance(texel(q), dampingY(0.5), dampingX(0.), link(m, beside(medium, 0, 1)), un - u);
}
