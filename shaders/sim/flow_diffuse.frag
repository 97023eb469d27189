// Diffusion of u and v at the rate l = nu dt / h^2:  x + l L x, or with SWEEP a weighted sweep of Jacobi for
//     (1 - l L) x = x_0:  x <- x + w ((x_0 + l (sum of four neighbours)) / (1 + 4 l) - x)
// DYE: such a sweep for the dye   DEFECT: what x leaves of that equation instead, x_0 - (1 - l L) x   FREE: without obstacles all is open away from the rim
#include "sim/flow.glsl"
uniform sampler2D open_u, open_v, fluid, u_0, v_0, dye_0;
uniform vec3 rates; // l, -, w

vec4 mirrored(vec4 neighbour, vec4 here, vec4 open) { return mix(neighbour, -here, lessThan(open, vec4(0.))); }

#ifdef DEFECT
#define DIFFUSED(x, x_0, l, sum) (texel(x_0) + (l) * (sum) - (1. + 4. * (l)) * (x))
#define CLOSED(x) vec4(0.)
#elif defined SWEEP || defined DYE
#define DIFFUSED(x, x_0, l, sum) mix(x, (texel(x_0) + (l) * (sum)) / (1. + 4. * (l)), rates.z)
#else
#define DIFFUSED(x, x_0, l, sum) ((x) + (l) * ((sum) - 4. * (x)))
#endif
#ifndef CLOSED
#define CLOSED(x) (x)
#endif

#if defined FREE && !defined RIM && defined DYE
vec4 kernel() { return DIFFUSED(texel(dye), dye_0, rates.x, D(1, 0) + D(-1, 0) + D(0, 1) + D(0, -1)); }
#elif defined FREE && !defined RIM
void kernel(out vec4 y[2]) {
  y[0] = DIFFUSED(texel(u), u_0, rates.x, U(1, 0) + U(-1, 0) + U(0, 1) + U(0, -1));
  y[1] = DIFFUSED(texel(v), v_0, rates.x, V(1, 0) + V(-1, 0) + V(0, 1) + V(0, -1));
}
#elif defined DYE
// 1 where the neighbour is an obstacle's cell
vec4 solid(int dx, int dy) {
  ivec2 c = cell() + ivec2(dx, dy);
  vec4 column = vec4(c.x) + vec4(0., 1., 2., 3.);
  vec4 there = mix(vec4(cells.z), vec4(1.), lessThan(abs(2. * column + 1. - cells.x), cells.xxxx));
  return below(c.y) || above(c.y) ? vec4(0.) : there * (1. - mapAt(fluid, dx, dy));
}

vec4 kernel() {
  vec4 c = D(0, 0), sum = D(1, 0) + D(-1, 0) + D(0, 1) + D(0, -1);
  sum += c * (solid(1, 0) + solid(-1, 0) + solid(0, 1) + solid(0, -1)); // nothing passes into obstacles, which hold none
  return texel(fluid) * DIFFUSED(c, dye_0, rates.x, sum);
}
#elif defined CUT && defined SWEEP
#include "sim/flow_cut.glsl"
// A sweep for u and v where cells are cut:  (a - l (sum of c_k x_k) + l (sum of c_k + W) x) = a x_0
void sweep(vec4 l, vec4 x, inout vec4 next, vec4 x_0, vec4 a, vec4 c[4], vec4 x_k[4], vec4 friction) {
  vec4 sum = c[0] * x_k[0] + c[1] * x_k[1] + c[2] * x_k[2] + c[3] * x_k[3];
  vec4 cut = mix(x, (a * x_0 + l * sum) / (a + l * (c[0] + c[1] + c[2] + c[3] + friction)), rates.z);
  next = mix(next, cut, greaterThan(a, vec4(0.)));
}

void kernel(out vec4 y[2]) {
  vec4 l = vec4(rates.x);
  vec4 fu = texel(open_u), fv = texel(open_v);
  vec4 ac = part(fu), ae = part(mapAt(open_u, 1, 0)), aw = part(mapAt(open_u, -1, 0)), an = part(mapAt(open_u, 0, 1));
  vec4 as = part(mapAt(open_u, 0, -1)), awn = part(mapAt(open_u, -1, 1)), bc = part(fv), be = part(mapAt(open_v, 1, 0));
  vec4 bw = part(mapAt(open_v, -1, 0)), bn = part(mapAt(open_v, 0, 1)), bs = part(mapAt(open_v, 0, -1));
  vec4 bes = part(mapAt(open_v, 1, -1));
  y[0] = U(0, 0);
  y[1] = V(0, 0);
  sweep(l, y[0], y[0], texel(u_0), fu,
        vec4[4](across(ac, ae), across(ac, aw), along(ac, an, bc, be), along(ac, as, bs, bes)),
        vec4[4](U(1, 0), U(-1, 0), U(0, 1), U(0, -1)), texel(wall_u));
  sweep(l, y[1], y[1], texel(v_0), fv,
        vec4[4](across(bc, bn), across(bc, bs), along(bc, be, ac, an), along(bc, bw, aw, awn)),
        vec4[4](V(0, 1), V(0, -1), V(1, 0), V(-1, 0)), texel(wall_v));
}
#else
void kernel(out vec4 y[2]) {
  vec4 a = U(0, 0), b = V(0, 0);
  vec4 us = U(1, 0) + U(-1, 0) + mirrored(U(0, 1), a, mapAt(open_u, 0, 1)) +
            mirrored(U(0, -1), a, mapAt(open_u, 0, -1));
  vec4 vs = V(0, 1) + V(0, -1) + mirrored(V(1, 0), b, mapAt(open_v, 1, 0)) +
            mirrored(V(-1, 0), b, mapAt(open_v, -1, 0));
  y[0] = mix(CLOSED(a), DIFFUSED(a, u_0, rates.x, us), greaterThan(texel(open_u), vec4(0.)));
  y[1] = mix(CLOSED(b), DIFFUSED(b, v_0, rates.x, vs), greaterThan(texel(open_v), vec4(0.)));
}
#endif
