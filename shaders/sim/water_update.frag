// z(new) = z - what flows out + what flows in; each flow is cut to what the cell that it leaves has (water_correct.frag), and the
// velocity along with it.   CONSERVING: the flows as well.   FIVE: `known` is the flow across of this step, and s goes with it.
#include "sim/water.glsl"
uniform sampler2D z, ground, w, s, flow, known, change, part;

vec4 cut(vec4 q, vec4 own, vec4 next) { return mix(next, own, greaterThan(q, vec4(0.))); }

void kernel(out vec4 y[OUTPUTS]) {
  vec4 own = texel(part), q = texel(flow), back = at(flow, -1, 0), top = texel(known), bottom = at(known, 0, -1), a, rim;
  rimFlow(z, ground, a, rim);
  rim = mix(rim, back - q + bottom - top - texel(change), greaterThan(a, vec4(0.))); // q + a (change), without its cancellation
  vec4 ahead_cut = cut(q, own, at(part, 1, 0));
  q *= ahead_cut;
  back *= cut(-back, own, at(part, -1, 0));
  vec4 top_cut = cut(top, own, at(part, 0, 1));
  top *= top_cut;
  bottom *= cut(-bottom, own, at(part, 0, -1));
  rim *= cut(rim, own, vec4(1.));
  y[0] = max(texel(z) - ((q - back) + (top - bottom) + rim), texel(ground));
  y[1] = texel(w) * ahead_cut;
#ifdef FIVE
  y[2] = texel(s) * top_cut;
#endif
#ifdef CONSERVING
  y[OUTPUTS - 2] = q;
  y[OUTPUTS - 1] = top;
#endif
}
