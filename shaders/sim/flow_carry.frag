// The dye in flux form, for a time dt: what flows through a face leaves one cell and enters the other.
//     y = keep (w q_0 + (1 - w) (q - F_E + F_W - F_N + F_S)),      F = r a u q_face - l a (q_R - q_L),  r = dt / h,  l = kappa dt / h^2
// F is the flux from cell L to R through a face that is open by a; q_0 and w make the second stage of Heun's rule.
// q_face is the value of the cell where the flow comes from, continued by half of its slope: the harmonic mean of the
// differences to both neighbours where they have the same sign, otherwise 0 (van Leer 1974). So it lies between both cells' values.
// No heat passes a closed face: the differences across it are zero. Beyond a side stands a + b q (flow.glsl), whose mean
// with q is what the side holds, or q itself.
#include "sim/flow.glsl"
uniform sampler2D open_u, open_v, fluid, dye_0; // fluid: 1, and 0 in obstacles
uniform vec4 carry; // r, l, w, keep
#ifdef CUT
#include "sim/flow_cut.glsl"
#else
vec4 part(vec4 open) { return vec4(1.); }
#endif

#ifdef RIM
// Field or map two columns away, for lanes beyond a periodic side from the other one.
vec4 twoColumns(sampler2D s, int dx) {
  ivec2 c = cell();
  vec4 value = neighbours(s, dx, 0);
  for (int k = 0; k < 4; k++) {
    int i = c.x + k + dx;
    if (cells.z > 0. && (i < 0 || i >= size().x))
      value[k] = fetch(s, column(i), c.y);
  }
  return value;
}
// The dye two columns away. Beyond the cell beside a side stands what that cell makes of it; farther out nothing is needed.
vec4 D2(int dx) {
  int j = cell().y, side = dx < 0 ? LEFT : RIGHT;
  vec4 value = twoColumns(dye, dx), beside = neighbours(dye, dx / 2, 0);
  vec4 place = vec4(cell().x + dx) + vec4(0., 1., 2., 3.), ghost = vec4(fetch(rim, j, side + 3) + fetch(rim, j, side + 4) * beside);
  bvec4 beyond = equal(place, vec4(dx < 0 ? -1. : cells.x));
  return cells.z > 0. ? value : mix(value, ghost, beyond);
}
// 1 where a difference to that neighbour counts: not to an obstacle
vec4 counts(int dx, int dy) {
  int j = cell().y + dy;
  vec4 place = vec4(cell().x + dx) + vec4(0., 1., 2., 3.);
  vec4 value = dx == 2 || dx == -2 ? twoColumns(fluid, dx) : mapAt(fluid, dx, dy);
  bvec4 within = lessThan(abs(2. * place + 1. - cells.x), cells.xxxx);
  return below(j) || above(j) ? vec4(1.) : mix(vec4(cells.z > 0. ? value : vec4(1.)), value, within);
}
// The value at a side through which `out_` flows out, with what stands beyond it
vec4 atSide(vec4 out_, vec4 q, vec4 beyond) { return mix(0.5 * (q + beyond), q, greaterThan(out_, vec4(0.))); }
#else
vec4 D2(int dx) { return neighbours(dye, dx, 0); }
#ifdef FREE // without obstacles all counts
vec4 counts(int dx, int dy) { return vec4(1.); }
#else
vec4 counts(int dx, int dy) { return neighbours(fluid, dx, dy); }
#endif
#endif

vec4 slope(vec4 a, vec4 b) { return mix(vec4(0.), 2. * a * b / (a + b), greaterThan(a * b, vec4(0.))); }
// The value at a face between two cells, of the one where the flow u comes from
vec4 upstream(vec4 u, vec4 low, vec4 slope_low, vec4 high, vec4 slope_high) {
  return mix(high - 0.5 * slope_high, low + 0.5 * slope_low, greaterThan(u, vec4(0.)));
}

// r a u q_face for two faces of a cell, from the values in five cells of its row or column, which of them count, and both velocities;
// d: differences across both faces
void advect(vec4 q[5], vec4 f[5], vec4 u_low, vec4 u_high, out vec4 low, out vec4 high, out vec4 d[2]) {
  vec4 e[4];
  for (int k = 0; k < 4; k++)
    e[k] = f[k] * f[k + 1] * (q[k + 1] - q[k]);
  vec4 own = slope(e[1], e[2]);
  low = upstream(u_low, q[1], slope(e[0], e[1]), q[2], own);
  high = upstream(u_high, q[2], own, q[3], slope(e[2], e[3]));
  d = vec4[2](e[1], e[2]);
}

vec4 kernel() {
  vec4 q = texel(dye), f = counts(0, 0), w, e, s, n, dx[2], dy[2];
  vec4 ae = part(texel(open_u)), aw = part(mapAt(open_u, -1, 0)), an = part(texel(open_v)), as = part(mapAt(open_v, 0, -1));
  vec4 ue = ae * U(0, 0), uw = aw * U(-1, 0), vn = an * V(0, 0), vs = as * V(0, -1);
  vec4 qx[5] = vec4[5](D2(-2), D(-1, 0), q, D(1, 0), D2(2));
  vec4 qy[5] = vec4[5](D(0, -2), D(0, -1), q, D(0, 1), D(0, 2));
  advect(qx, vec4[5](counts(-2, 0), counts(-1, 0), f, counts(1, 0), counts(2, 0)), uw, ue, w, e, dx);
  advect(qy, vec4[5](counts(0, -2), counts(0, -1), f, counts(0, 1), counts(0, 2)), vs, vn, s, n, dy);
#ifdef RIM
  ivec2 c = cell();
  w.x = before(c.x - 1) ? atSide(-uw, q, qx[1]).x : w.x;
  e = mix(e, atSide(ue, q, qx[3]), greaterThan(vec4(last()) * (1. - cells.z), vec4(0.)));
  s = below(c.y - 1) ? atSide(-vs, q, qy[1]) : s;
  n = above(c.y + 1) ? atSide(vn, q, qy[3]) : n;
#endif
  vec4 next = q - carry.x * (ue * e - uw * w + vn * n - vs * s) +
              carry.y * (ae * dx[1] - aw * dx[0] + an * dy[1] - as * dy[0]);
  return carry.w * f * mix(next, texel(dye_0), carry.z);
}
