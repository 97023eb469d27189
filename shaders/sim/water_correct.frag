// The velocities along the axis with the change of the level, w = w* - link d(change); what flows along in this stage, as a depth;
// and how much of what flows out of a cell it really has: min(1, H / out).
#include "sim/water.glsl"
uniform sampler2D z, ground, star, link, depth, known, change;
uniform float share;

void kernel(out vec4 y[3]) {
  vec4 d = texel(change), a, q;
  vec4 wc = texel(star) - texel(link) * (at(change, 1, 0) - d);
  vec4 wl = at(star, -1, 0) - at(link, -1, 0) * (d - at(change, -1, 0));
  vec4 ahead = share * texel(depth) * wc, back = share * at(depth, -1, 0) * wl;
  vec4 top = texel(known), bottom = at(known, 0, -1), deep = texel(z) - texel(ground);
  rimFlow(z, ground, a, q);
  vec4 leaves = max(ahead, 0.) + max(-back, 0.) + max(top, 0.) + max(-bottom, 0.) + max(q + a * d, 0.);
  y[0] = wc;
  y[1] = ahead;
  y[2] = mix(vec4(1.), deep / leaves, greaterThan(leaves, deep));
}
