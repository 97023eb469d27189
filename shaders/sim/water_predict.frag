// The velocity along an axis without the pull of what the surface is going to do, and how strong that pull is:
//     w* = (F(w) - g dt/d (theta dz + (1 - theta) dz_before) + dt (f s + gamma_w W + nu Laplace w)) / (1 + dt (gamma + gamma_w))
//     w(t + dt) = w* - link d(change of z),   link = theta g dt/d / (1 + dt (gamma + gamma_w))
// and what flows in this stage whatever the surface does. gamma: friction on the ground; gamma_w = drag |W| / H: of the wind W.
//   STREAMLINES, CONSERVING  what F does (none of both: nothing)      UPWIND  see faceDepth      FIVE  no stage for the other axis
//   INFLOW  what comes in through the sides along has a velocity of its own
//   VISCOSITY  of eddies; neighbours behind closed faces do not slow down
// Outputs: w*, link, depth of the face, the flow that is known already: across (FIVE: along, of the old velocity).
#include "sim/water.glsl"
uniform sampler2D w, s, z, before, ground, sill, sill_across;
uniform vec4 rates;    // dt, dt / d along, dt / d across, g dt / d along
uniform vec4 forces;   // f (with the sign of this axis), drag |W|, W along, theta
uniform vec4 friction; // gamma = friction.x |velocity| H^-friction.y;  nu dt / along^2, nu dt / across^2
uniform float known;   // duration of the stage / d across; FIVE: (1 - theta) dt / d along

#ifdef INFLOW
uniform vec4 inflow;       // through the low side: velocity, flow in a step as a depth; through the high side (not positive)
uniform vec4 inflow_parts; // from, to of each, in cells across
vec4 part(vec4 m, vec2 of) { return step(of.x, m) * (1. - step(of.y, m)); }
#endif

#ifdef STREAMLINES
uniform vec4 reach_w, reach_s; // the first and last place along, across, that a streamline sees of each: -1 is a wall
uniform vec2 substeps; // how many; how far, in cells, the water may come in a step for what lies around to be enough

float fetch(sampler2D f, int a, int c) {
#if AXIS == 0
  int i = a, j = c;
#else
  int i = c, j = a;
#endif
  vec4 t = texelFetch(f, ivec2(max(i, 0) >> 2, max(j, 0)), 0);
  int lane = max(i, 0) & 3;
  float value = lane < 2 ? (lane == 0 ? t.x : t.y) : (lane == 2 ? t.z : t.w);
  return i < 0 || j < 0 ? 0. : value;
}
// w at a face, those of the rim too.
float face(int a, int c) {
#ifdef INFLOW
#if AXIS == 0
  int last = int(cells.x) - 1;
#else
  int last = int(cells.y) - 1;
#endif
  vec4 m = vec4(float(c) + 0.5);
  if (a < 0)
    return inflow.x * part(m, inflow_parts.xy).x;
  if (a == last && inflow.z < 0.)
    return inflow.z * part(m, inflow_parts.zw).x;
#endif
  return fetch(w, a, c);
}
// Bilinear, with the field's first value at 0.
#define BETWEEN(fetched, place, reach)                                                                                 \
  place = clamp(place, reach.xz, reach.yw);                                                                            \
  vec2 low = floor(place), t = place - low;                                                                            \
  ivec2 p = ivec2(low), q = min(p + 1, ivec2(reach.yw));                                                               \
  return mix(mix(fetched(p.x, p.y), fetched(q.x, p.y), t.x), mix(fetched(p.x, q.y), fetched(q.x, q.y), t.x), t.y);
#define CROSS(a, c) fetch(s, a, c)
float along(vec2 place) { BETWEEN(face, place, reach_w) }
float across(vec2 place) { BETWEEN(CROSS, place, reach_s) }

// w where the water at the face of cell (a, c), whose velocity is `there`, has been one step ago.
float origin(vec2 c, vec2 there) {
  vec2 way = rates.yz / substeps.x, place = c;
  for (float k = 0.; k < substeps.x; k++) {
    place -= way * there;
    there = vec2(along(place), across(place + vec2(0.5, -0.5)));
  }
  return there.x;
}

// The same for four faces at once, from what lies around them: enough as long as nothing there is so fast that the way leads
// further, half a cell before its end and a cell at its end (`far`). w stands at the middle of the arrays.
struct Around {
  vec4 w[9], s[4];
  bool far;
};

// w with what the rim brings, as in face().
vec4 faces(int a, int c, vec4 k, vec4 m) {
  vec4 v = at(w, a, c);
#ifdef INFLOW
#if AXIS == 0
  float last = cells.x - 1.;
#else
  float last = cells.y - 1.;
#endif
  k += float(a);
  m += float(c) + 0.5;
  v = mix(v, inflow.x * part(m, inflow_parts.xy), lessThan(k, vec4(0.)));
  v = mix(v, inflow.z * part(m, inflow_parts.zw), step(last, k) * step(1e-30, -inflow.z));
#endif
  return v;
}

Around look(vec4 k, vec4 m) {
  Around all;
  vec4 fast = vec4(0.), crossing = vec4(0.);
  for (int c = -1; c <= 1; c++)
    for (int a = -1; a <= 1; a++) {
      all.w[3 * c + a + 4] = faces(a, c, k, m);
      fast = max(fast, abs(all.w[3 * c + a + 4]));
    }
  for (int c = -1; c <= 0; c++)
    for (int a = 0; a <= 1; a++) {
      all.s[2 * c + a + 2] = at(s, a, c);
      crossing = max(crossing, abs(all.s[2 * c + a + 2]));
    }
  all.far = any(greaterThan(max(rates.y * fast, rates.z * crossing), vec4(substeps.y)));
  return all;
}

// How much a value at k counts at d: linear between the places.
vec4 hat(vec4 d, float k) { return max(1. - abs(d - k), 0.); }

vec4 alongAround(Around all, vec4 a, vec4 c) {
  vec4 before = hat(a, -1.), here = hat(a, 0.), behind = hat(a, 1.);
  return hat(c, -1.) * (before * all.w[0] + here * all.w[1] + behind * all.w[2]) +
         hat(c, 0.) * (before * all.w[3] + here * all.w[4] + behind * all.w[5]) +
         hat(c, 1.) * (before * all.w[6] + here * all.w[7] + behind * all.w[8]);
}
vec4 acrossAround(Around all, vec4 a, vec4 c) {
  return mix(mix(all.s[0], all.s[1], a), mix(all.s[2], all.s[3], a), c + 1.);
}

vec4 transported(vec4 wc, vec4 sc) {
#if AXIS == 0
  vec4 k = vec4(float(cell().x)) + vec4(0., 1., 2., 3.), m = vec4(float(cell().y));
#else
  vec4 k = vec4(float(cell().y)), m = vec4(float(cell().x)) + vec4(0., 1., 2., 3.);
#endif
  Around all = look(k, m);
  vec2 way = rates.yz / substeps.x;
  vec4 a = vec4(0.), c = vec4(0.), result = wc, cross = sc;
  for (float n = 0.; n < substeps.x; n++) {
    a -= way.x * result;
    c -= way.y * cross;
    vec4 ra = clamp(a, reach_w.x - k, reach_w.y - k), rc = clamp(c, reach_w.z - m, reach_w.w - m);
    result = alongAround(all, ra, rc);
    cross = acrossAround(all, clamp(a + 0.5, reach_s.x - k, reach_s.y - k), clamp(c - 0.5, reach_s.z - m, reach_s.w - m));
  }
  // A loop without a turn where nothing is far, since software devices run both sides of a branch.
  for (int lane = 0; lane < (all.far ? 4 : 0); lane++) {
    vec4 this_one = vec4(equal(ivec4(0, 1, 2, 3), ivec4(lane)));
    vec2 from = vec2(dot(this_one, k), dot(this_one, m));
    result = mix(result, vec4(origin(from, vec2(dot(this_one, wc), dot(this_one, sc)))), this_one);
  }
  return result;
}
#endif

#ifdef CONSERVING
uniform sampler2D flux_a0, flux_a1, flux_c0, flux_c1; // what crossed each side in the last step, as a depth
uniform vec2 open_ends;                               // 1 where beyond the first, the last cell along the velocity is the same
uniform sampler2D earlier; // the level before its last change
uniform float lead;        // how many such changes later the slope belongs

#ifdef FIVE // one stage is a step
vec4 alongFlux(int a, int c) { return at(flux_a0, a, c); }
vec4 acrossFlux(int a, int c) { return at(flux_c0, a, c); }
#else
vec4 alongFlux(int a, int c) { return at(flux_a0, a, c) + at(flux_a1, a, c); }
vec4 acrossFlux(int a, int c) { return at(flux_c0, a, c) + at(flux_c1, a, c); }
#endif

// F = w - (sum over what comes in of flow (w - w there)) / H, first order upwind: what leaves the column of water between two
// cells' centres leaves with its own velocity. H (w now) - H (w before) is then the difference of what came in and went out.
vec4 transported(vec4 wc, vec4 depth) {
  vec4 q = alongFlux(0, 0), right = alongFlux(1, 0), left = alongFlux(-1, 0);
  vec4 top = 0.5 * (acrossFlux(0, 0) + acrossFlux(1, 0)), bottom = 0.5 * (acrossFlux(0, -1) + acrossFlux(1, -1));
  vec4 next = at(w, 1, 0), last = at(w, -1, 0);
#if AXIS == 0
  vec4 k = vec4(float(cell().x)) + vec4(0., 1., 2., 3.), n = vec4(cells.x), m = vec4(float(cell().y) + 0.5);
#else
  vec4 k = vec4(float(cell().y)), n = vec4(cells.y), m = vec4(float(cell().x)) + vec4(0.5, 1.5, 2.5, 3.5);
#endif
  next = mix(next, wc, open_ends.y * step(n - 2., k));
  last = mix(last, wc, open_ends.x * step(k, vec4(0.)));
#ifdef INFLOW
  vec4 low = part(m, inflow_parts.xy) * step(k, vec4(0.)) * step(1e-30, inflow.x);
  vec4 high = part(m, inflow_parts.zw) * step(n - 2., k) * step(1e-30, -inflow.z);
  last = mix(last, vec4(inflow.x), low);
  left = mix(left, vec4(inflow.y), low);
  next = mix(next, vec4(inflow.z), high);
  right = mix(right, vec4(inflow.w), high);
#endif
  vec4 behind = 0.5 * (q + right), ahead = 0.5 * (q + left);
  vec4 in_next = max(-behind, 0.), in_last = max(ahead, 0.), in_top = max(-top, 0.), in_bottom = max(bottom, 0.);
  vec4 all = max(in_next + in_last + in_top + in_bottom, depth); // no more than the column holds
  vec4 gain = in_next * (next - wc) + in_last * (last - wc) + in_top * (at(w, 0, 1) - wc) + in_bottom * (at(w, 0, -1) - wc);
  return wc + mix(gain / all, vec4(0.), equal(all, vec4(0.)));
}
#endif

#ifdef CONSERVING
// The depth at the time of the slope, as it has changed so far, in depths of now: what stands before the slope is the depth of
// that time, so that the pressure on both sides of a shock adds up.
vec4 ratio(vec4 depth) {
  vec4 change = 0.5 * (at(z, 0, 0) - at(earlier, 0, 0) + at(z, 1, 0) - at(earlier, 1, 0));
  return clamp(1. + lead * change / max(depth, cells.z), 0.5, 2.);
}
#endif

#ifdef VISCOSITY
// How much faster the water is there; as fast as here beyond the rim and behind closed faces.
vec4 shear(vec4 wc, int a, int c) {
  vec4 there = at(w, a, c), level = max(at(z, a, c), at(z, a + 1, c));
#if AXIS == 0
  vec4 k = vec4(cell().x + a) + vec4(0., 1., 2., 3.), m = vec4(cell().y + c), n = cells.xxxx, l = cells.yyyy;
#else
  vec4 k = vec4(cell().y + a), m = vec4(cell().x + c) + vec4(0., 1., 2., 3.), n = cells.yyyy, l = cells.xxxx;
#endif
  vec4 inside = step(vec4(0.), k) * step(k + 2., n) * step(vec4(0.), m) * step(m + 1., l);
  return inside * mix(there - wc, vec4(0.), lessThanEqual(level, at(sill, a, c)));
}
#endif

// The velocity that a closed face shows to what is carried past it: at a shore that of the wet side's other face, the more of it
// the less of the ground's step is still dry; so water that arrives is not slowed down by faces that stood still. 0 at walls.
vec4 shoreVelocity(vec4 zl, vec4 zr, vec4 bl, vec4 br, vec4 sill) {
  vec4 wet_left = step(vec4(cells.z), zl - bl), wet_right = step(vec4(cells.z), zr - br);
  vec4 left = wet_left * (1. - wet_right) * at(w, -1, 0) * sqrt(clamp((zl - bl) / max(sill - bl, 1e-6), 0., 1.));
  vec4 right = wet_right * (1. - wet_left) * at(w, 1, 0) * sqrt(clamp((zr - br) / max(sill - br, 1e-6), 0., 1.));
  return step(sill, vec4(1e8)) * (left + right);
}

void kernel(out vec4 y[4]) {
  vec4 zl = at(z, 0, 0), zr = at(z, 1, 0), bl = at(ground, 0, 0), br = at(ground, 1, 0), edge = at(sill, 0, 0);
  vec4 wc = at(w, 0, 0), sc = 0.25 * (at(s, 0, 0) + at(s, 1, 0) + at(s, 0, -1) + at(s, 1, -1));
  vec4 depth = faceDepth(zl, zr, bl, br, edge, wc);
  depth = mix(vec4(0.), depth, greaterThan(depth, vec4(cells.z)));
  vec4 slope = forces.w * (zr - zl) + (1. - forces.w) * (at(before, 1, 0) - at(before, 0, 0));

  vec4 safe = max(depth, cells.z), drag = forces.y / safe;
  vec4 gamma = friction.x * sqrt(wc * wc + sc * sc) * exp2(-friction.y * log2(safe));
#if defined(STREAMLINES)
  vec4 F = transported(wc, sc);
#elif defined(CONSERVING)
  vec4 column = 0.5 * (zl - bl + zr - br), F = transported(wc, column), strength = ratio(column);
#else
  vec4 F = wc;
#endif
#ifndef CONSERVING
  const float strength = 1.;
#endif
  F += rates.x * (forces.x * sc + drag * forces.z) - rates.w * strength * slope;
#ifdef VISCOSITY
  F += friction.z * (shear(wc, 1, 0) + shear(wc, -1, 0)) + friction.w * (shear(wc, 0, 1) + shear(wc, 0, -1));
#endif
  vec4 weight = mix(vec4(0.), 1. / (1. + rates.x * (gamma + drag)), greaterThan(depth, vec4(0.)));
  y[0] = mix(shoreVelocity(zl, zr, bl, br, max(edge, max(bl, br))), weight * F, greaterThan(depth, vec4(0.)));
  y[1] = forces.w * rates.w * strength * weight;
  y[2] = depth;
#ifdef FIVE
  y[3] = known * depth * wc;
#else
  vec4 v = at(s, 0, 0);
  vec4 deep = faceDepth(zl, at(z, 0, 1), bl, at(ground, 0, 1), at(sill_across, 0, 0), v);
  y[3] = known * v * mix(vec4(0.), deep, greaterThan(deep, vec4(cells.z)));
#endif
}
