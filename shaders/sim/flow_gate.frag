// The velocities through outflows at the left and at the bottom, which no field holds: rows LEFT and BOTTOM of the table `rim`.
// Each stage of a step treats them as it treats the faces of a field.
//   PREDICT (SEMI_LAGRANGIAN, LEAP), DIFFUSE (IMPLICIT), PROJECT or SPLAT: see the files of these names
#include "sim/flow.glsl"
uniform sampler2D fluid, rim_0;
uniform vec2 gates; // is the left side an outflow, the bottom?
#ifdef PREDICT
uniform vec3 rates;
uniform vec4 forces;
uniform vec3 blend;
#include "sim/flow_transport.glsl"
#elif defined DIFFUSE
uniform vec3 rates;
#elif defined PROJECT
uniform vec2 scale;
#elif defined SPLAT
uniform vec3 place, amount;
uniform float pull;
#endif

float picked(vec4 q, ivec2 d) { return d.y > 0 ? (d.x > 0 ? q.w : q.z) : (d.x > 0 ? q.y : q.x); }
float uAt(ivec2 c) { ivec2 low = min(c, size() - 1); return picked(uAround(low), c - low); }
float vAt(ivec2 c) { ivec2 low = min(c, size() - 1); return picked(vAround(low), c - low); }
// `a` faces inwards from the gate, `b` cells along the side from cell k: the velocity through the face, and that along the
// side between the cells on both sides of that face.
float through(bool left, int k, int a, int b) { return left ? uAt(ivec2(a - 1, k + b)) : vAt(ivec2(k + b, a - 1)); }
float along(bool left, int k, int a, int b) { return left ? vAt(ivec2(a - 1, k + b)) : uAt(ivec2(k + b, a - 1)); }
float inner(sampler2D s, bool left, int k) { return fetch(s, left ? 0 : k, left ? k : 0); }
// The neighbouring gate, or its mirror image in an obstacle.
float beside(bool left, int k, int b, float here) {
  int n = left ? size().y : size().x, l = held(k + b, n, left ? cells.w : cells.z);
  bool inside = (k + b >= 0 && k + b < n) || (left ? cells.w : cells.z) > 0.;
  return inside && inner(fluid, left, l) == 0. ? -here : through(left, k, 0, b);
}

float next(bool left, int k, float old) {
  float c = through(left, k, 0, 0);
#ifdef PROJECT
  return c - scale.x * scalar.x * inner(p, left, k);
#elif defined SPLAT
  vec2 from = (left ? vec2(0., float(k) + 0.5) : vec2(float(k) + 0.5, 0.)) - place.xy;
  float bell = exp(-dot(from, from) / (place.z * place.z)), given = left ? amount.x : amount.y;
  return pull > 0. ? mix(c, given, 1. - exp(-pull * bell)) : c + given * bell;
#else
  float e = through(left, k, 1, 0), n = beside(left, k, 1, c), s = beside(left, k, -1, c); // beyond: c itself
#ifdef DIFFUSE
  float sum = e + c + n + s;
#ifdef IMPLICIT
  return mix(c, (old + rates.x * sum) / (1. + 4. * rates.x), rates.z);
#else
  return c + rates.x * (sum - 4. * c);
#endif
#else
  float t = along(left, k, 0, 0), te = along(left, k, 1, 0), ts = along(left, k, 0, -1), tes = along(left, k, 1, -1);
  float F = rates.z * (e + c + n + s - 4. * c) + rates.x * (left ? forces.x : forces.y) - blend.z * rates.y * inner(p, left, k);
  float outer = dyeAround(left ? ivec2(-1, k) : ivec2(k, -1)).x;
  F += left ? 0. : rates.x * forces.z * (0.5 * (outer + inner(dye, left, k)) - forces.w);
#ifdef SEMI_LAGRANGIAN
  vec4 r = vec4(rates.y), m = vec4(0.25 * (t + te + ts + tes)), q = vec4(c);
  float wn = way(r, q, q, m, vec4(0.5 * (e - c)), vec4(0.5 * (n - s))).x;
  float wt = way(r, m, q, m, vec4(0.5 * (te + tes - t - ts)), vec4(0.5 * (t + te - ts - tes))).x;
  return F + (left ? uFrom(origin(vec2(-1., float(k)), vec2(wn, wt), vec2(1., 0.5)))
                   : vFrom(origin(vec2(float(k), -1.), vec2(wt, wn), vec2(0.5, 1.))));
#else
  vec4 a = vec4(c, c, c, s), b = vec4(e, c, n, c), q = vec4(c + e, c + c, t + te, ts + tes);
  vec4 f = flux(blend.x, q, a, b);
#ifdef LEAP
  F += old + c;
#endif
  return F + c - rates.y * (f.x - f.y + f.z - f.w);
#endif
#endif
#endif
}

vec4 kernel() {
  vec4 y = texel(rim);
  int row = cell().y;
  bool left = row == LEFT;
  if (!(left && gates.x > 0.) && !(row == BOTTOM && gates.y > 0.))
    return y;
  for (int lane = 0; lane < 4; lane++) {
    int k = cell().x + lane;
    if (k < (left ? size().y : size().x) && inner(fluid, left, k) > 0.) {
      vec4 here = vec4(equal(ivec4(0, 1, 2, 3), ivec4(lane)));
      y = mix(y, vec4(next(left, k, dot(here, texel(rim_0)))), here);
    }
  }
  return y;
}
