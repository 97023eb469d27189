// x(t+1) with a perfectly matched layer (Grote and Sim 2010, in two dimensions), from `next` = B x(t) - x(t-1). With half a
// step's damping a = s_x dt / 2, b = s_y dt / 2 at a point:
//   (1 + a + b) x(t+1) = next + (a + b) x(t-1) - 4 a b x(t) + p - p_W + q - q_S
// The fluxes p (to the right of a point) and q (above it), times dt^2 / h, move with the weights w of the links:
//   p_t = -s_x p + (s_y - s_x) w u_x,   q_t = -s_y q + (s_x - s_y) w u_y,   centred half a step before x(t)
#include "sim/wave.glsl"
uniform sampler2D next, now, before, p, q;
uniform vec4 layers; // left, right, bottom, top: points wide; 0 where the edge does not absorb
uniform float rate, beta;

// Grows with the square of the depth.
vec4 damping(vec4 low, vec4 high) {
  vec4 depth = max(max(low, high), vec4(0.));
  return rate * depth * depth;
}
// On each axis, `offset` to the right of (above) the four points.
vec4 dampingX(float offset) {
  vec4 x = columns() + 0.5 + offset;
  return damping(layers.x - x, layers.y - (cells.x - x));
}
vec4 dampingY(float offset) {
  vec4 y = vec4(float(cell().y) + 0.5 + offset);
  return damping(layers.z - y, layers.w - (cells.y - y));
}

vec4 advance(vec4 flux, vec4 own, vec4 other, vec4 weight, vec4 rise) {
  vec4 value = ((1. - own) * flux + (other - own) * beta * weight * rise) / (1. + own);
  return mix(value, vec4(0.), equal(weight, vec4(0.)));
}
vec4 sum(int dx, int dy) { return beside(now, dx, dy) + beside(before, dx, dy); }

void kernel(out vec4 y[3]) {
  vec4 a = dampingX(0.), b = dampingY(0.), m = texel(medium), u = sum(0, 0);
  vec4 west = advance(beside(p, -1, 0), dampingX(-0.5), b, link(m, beside(medium, -1, 0)), u - sum(-1, 0));
  vec4 south = advance(beside(q, 0, -1), dampingY(-0.5), a, link(m, beside(medium, 0, -1)), u - sum(0, -1));
  y[1] = advance(texel(p), dampingX(0.5), b, link(m, beside(medium, 1, 0)), sum(1, 0) - u);
  y[2] = advance(texel(q), dampingY(0.5), a, link(m, beside(medium, 0, 1)), sum(0, 1) - u);
  vec4 total = texel(next) + (a + b) * texel(before) - 4. * a * b * texel(now) + y[1] - west + y[2] - south;
  y[0] = mix(total / (1. + a + b), vec4(0.), equal(m, vec4(0.)));
}
