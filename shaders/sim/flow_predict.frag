// F = u + dt (nu L u - advection + force) - dt/h (p_E - p), G likewise. The pressure is the last
// step's, so that what remains to be projected is small. A closed face keeps its velocity.
//   SEMI_LAGRANGIAN  u is taken from where the flow comes from, and diffused before (flow_diffuse.frag); otherwise
//       advection = (flux_E - flux_W + flux_N - flux_S) / h,
//       flux of q between a and b = 1/4 (q (a + b) + gamma |q| (a - b)),  q: sum of the two velocities through the face
//   SEMI_LAGRANGIAN with MACCORMACK  two passes. GUESS: only q^ = q from where the flow comes from. Then, with q^ in u_0 and v_0, q <- q^ + 1/2
//       (q - q^ from where the flow goes to): what going there and back has done to q, half of it undone; held between the four values that q^ is
//       made of, and left out beside the rim (not where an axis is periodic)
//   LEAP  the second stage of the midpoint rule: u and v are those of half a step, and
//       F = u_0 + 2 u - dt advection ..., with a u_0 from src/sim/flow_stages.c
// Open faces are 1 in `open_u` and `open_v`, closed ones 0, and -1 inside of an obstacle, where the velocity that a
// neighbour sees is the mirror image of its own (no slip).
#if defined LEAP || defined MACCORMACK
uniform sampler2D u_0, v_0;
#endif
#include "sim/flow.glsl"
uniform sampler2D open_u, open_v;
uniform vec3 rates;  // dt, dt / h, nu dt / h^2
uniform vec4 forces; // x, y, buoyancy, ambient dye
uniform vec3 blend;  // gamma, nu dt / h^2, the pressure's part
#include "sim/flow_transport.glsl"
#ifdef CUT
#include "sim/flow_cut.glsl"
#endif

vec4 mirrored(vec4 neighbour, vec4 here, vec4 open) { return mix(neighbour, -here, lessThan(open, vec4(0.))); }

// As uFrom and vFrom (flow.glsl), but without the rim; where that is needed, `rim_too` becomes true.
float within(sampler2D s, vec2 place, inout bool rim_too) {
  vec2 low = floor(place), t = place - low;
  rim_too = rim_too || any(lessThan(low, vec2(0.))) || any(greaterThan(low + 1.5, cells.xy));
  ivec2 c = clamp(ivec2(low), ivec2(0), max(size() - 2, ivec2(0)));
  vec4 q = vec4(fetch(s, c.x, c.y), fetch(s, c.x + 1, c.y), fetch(s, c.x, c.y + 1), fetch(s, c.x + 1, c.y + 1));
  return mix(mix(q.x, q.y, t.x), mix(q.z, q.w, t.x), t.y);
}

#if defined MACCORMACK && !defined GUESS
// The values around a place; `inside` becomes 0 where one of them lies outside.
vec4 corners(sampler2D s, vec2 place, inout float inside) {
  vec2 low = floor(place);
#ifdef RIM
  ivec2 l = ivec2(low);
  inside *= float(!(before(l.x) || behind(l.x + 1) || below(l.y) || above(l.y + 1)));
  return around(s, l);
#else // no path is so long that it should have to look for the other side of a periodic axis
  inside *= float(all(greaterThanEqual(low, vec2(0.))) && all(lessThan(low + 1.5, cells.xy)));
  ivec2 c = clamp(ivec2(low), ivec2(0), max(size() - 2, ivec2(0)));
  return vec4(fetch(s, c.x, c.y), fetch(s, c.x + 1, c.y), fetch(s, c.x, c.y + 1), fetch(s, c.x + 1, c.y + 1));
#endif
}
// q^ with its correction: q came from `from`, and goes to `to`.
float corrected(sampler2D old, sampler2D guess, float q, float q_0, vec2 from, vec2 to) {
  float inside = 1.;
  vec2 t = to - floor(to);
  vec4 a = corners(old, from, inside), b = corners(guess, to, inside);
  float back = mix(mix(b.x, b.y, t.x), mix(b.z, b.w, t.x), t.y);
  float least = min(min(a.x, a.y), min(a.z, a.w)), most = max(max(a.x, a.y), max(a.z, a.w));
  return mix(q_0, clamp(q_0 + 0.5 * (q - back), least, most), inside);
}
#endif

void kernel(out vec4 y[2]) {
  vec4 uc = U(0, 0), ue = U(1, 0), uw = U(-1, 0), un = U(0, 1), us = U(0, -1), uwn = U(-1, 1);
  vec4 vc = V(0, 0), ve = V(1, 0), vw = V(-1, 0), vn = V(0, 1), vs = V(0, -1), ves = V(1, -1);
  vec4 pc = P(0, 0), fu = texel(open_u), fv = texel(open_v), u_n = un, v_e = ve; // those two as they are, zero on walls
  un = mirrored(un, uc, mapAt(open_u, 0, 1));
  us = mirrored(us, uc, mapAt(open_u, 0, -1));
  ve = mirrored(ve, vc, mapAt(open_v, 1, 0));
  vw = mirrored(vw, vc, mapAt(open_v, -1, 0));
  vec4 F = rates.z * (ue + uw + un + us - 4. * uc) + rates.x * forces.x - blend.z * rates.y * (P(1, 0) - pc);
  vec4 G = rates.z * (ve + vw + vn + vs - 4. * vc) + rates.x * forces.y - blend.z * rates.y * (P(0, 1) - pc);
  G += rates.x * forces.z * (0.5 * (D(0, 0) + D(0, 1)) - forces.w);

  vec4 r = vec4(rates.y);
#ifdef SEMI_LAGRANGIAN
  vec4 au = vec4(0.), av = vec4(0.), vu = 0.25 * (vc + v_e + vs + ves), uu = 0.25 * (uc + uw + u_n + uwn);
  vec4 ux = way(r, uc, uc, vu, 0.5 * (ue - uw), 0.5 * (un - us));
  vec4 uy = way(r, vu, uc, vu, 0.5 * (v_e + ves - vc - vs), 0.5 * (vc + v_e - vs - ves));
  vec4 vx = way(r, uu, uu, vc, 0.5 * (uc + u_n - uw - uwn), 0.5 * (u_n + uwn - uc - uw));
  vec4 vy = way(r, vc, uu, vc, 0.5 * (ve - vw), 0.5 * (vn - vs));
#endif
#if defined MACCORMACK && !defined GUESS
  vec4 u0 = texel(u_0), v0 = texel(v_0);
  const vec2 ou = vec2(1., 0.5), ov = ou.yx;
#define LANE(k, l)                                                                                                            \
  au.l = corrected(u, u_0, uc.l, u0.l, origin(vec2(cell()) + vec2(k, 0.), vec2(ux.l, uy.l), ou),                              \
                   origin(vec2(cell()) + vec2(k, 0.), -rates.y * vec2(uc.l, vu.l), ou));                                      \
  av.l = corrected(v, v_0, vc.l, v0.l, origin(vec2(cell()) + vec2(k, 0.), vec2(vx.l, vy.l), ov),                              \
                   origin(vec2(cell()) + vec2(k, 0.), -rates.y * vec2(uu.l, vc.l), ov));
  LANE(0., x)
  LANE(1., y)
  LANE(2., z)
  LANE(3., w)
#elif defined SEMI_LAGRANGIAN
  int first = 4, past = 0; // of the cells from which a path ends beside the rim
#define LANE(k, l)                                                                                                            \
  {                                                                                                                           \
    bool rim_too = false;                                                                                                     \
    au.l = within(u, origin(vec2(cell()) + vec2(k, 0), vec2(ux.l, uy.l), vec2(1., 0.5)), rim_too);                            \
    av.l = within(v, origin(vec2(cell()) + vec2(k, 0), vec2(vx.l, vy.l), vec2(0.5, 1.)), rim_too);                            \
    first = rim_too ? min(first, k) : first;                                                                                  \
    past = rim_too ? k + 1 : past;                                                                                            \
  }
  LANE(0, x)
  LANE(1, y)
  LANE(2, z)
  LANE(3, w)
  for (int k = first; k < past; k++) { // a loop, since software devices run both sides of a branch
    bvec4 lane = equal(ivec4(0, 1, 2, 3), ivec4(k));
    vec4 one = vec4(lane);
    vec2 c = vec2(cell() + ivec2(k, 0));
    au = mix(au, vec4(uFrom(origin(c, vec2(dot(one, ux), dot(one, uy)), vec2(1., 0.5)))), lane);
    av = mix(av, vec4(vFrom(origin(c, vec2(dot(one, vx), dot(one, vy)), vec2(0.5, 1.)))), lane);
  }
#endif
#ifdef GUESS
  F = vec4(0.);
  G = vec4(0.);
#endif
#ifdef SEMI_LAGRANGIAN
  F += au;
  G += av;
#else
#ifdef LEAP
  F += texel(u_0) + uc;
  G += texel(v_0) + vc;
#endif
#ifdef CUT // fluxes through what is open; none between a face and one that is closed
  vec4 ac = part(fu), ae = part(mapAt(open_u, 1, 0)), aw = part(mapAt(open_u, -1, 0)), an = part(mapAt(open_u, 0, 1));
  vec4 as = part(mapAt(open_u, 0, -1)), awn = part(mapAt(open_u, -1, 1)), bc = part(fv), be = part(mapAt(open_v, 1, 0));
  vec4 bw = part(mapAt(open_v, -1, 0)), bn = part(mapAt(open_v, 0, 1)), bs = part(mapAt(open_v, 0, -1));
  vec4 bes = part(mapAt(open_v, 1, -1));
  F += uc - r / max(ac, 0.01) * (isOpen(ae) * flux(blend.x, ac * uc + ae * ue, uc, ue) - isOpen(aw) * flux(blend.x, aw * uw + ac * uc, uw, uc) +
       isOpen(an) * flux(blend.x, bc * vc + be * ve, uc, un) - isOpen(as) * flux(blend.x, bs * vs + bes * ves, us, uc));
  G += vc - r / max(bc, 0.01) * (isOpen(be) * flux(blend.x, ac * uc + an * un, vc, ve) - isOpen(bw) * flux(blend.x, aw * uw + awn * uwn, vw, vc) +
       isOpen(bn) * flux(blend.x, bc * vc + bn * vn, vc, vn) - isOpen(bs) * flux(blend.x, bs * vs + bc * vc, vs, vc));
#else
  F += uc - r * (flux(blend.x, uc + ue, uc, ue) - flux(blend.x, uw + uc, uw, uc) + flux(blend.x, vc + ve, uc, un) - flux(blend.x, vs + ves, us, uc));
  G += vc - r * (flux(blend.x, uc + un, vc, ve) - flux(blend.x, uw + uwn, vw, vc) + flux(blend.x, vc + vn, vc, vn) - flux(blend.x, vs + vc, vs, vc));
#endif
#endif
#if defined CUT && defined LEAP // the wall's friction by backward Euler: Crank-Nicolson's rule lets narrow faces ring
  vec4 wu = blend.y * texel(wall_u) / max(ac, 0.01), wv = blend.y * texel(wall_v) / max(bc, 0.01);
  F = (F + wu * uc) / (1. + wu);
  G = (G + wv * vc) / (1. + wv);
#endif
  y[0] = mix(uc, F, greaterThan(fu, vec4(0.)));
  y[1] = mix(vc, G, greaterThan(fv, vec4(0.)));
}
