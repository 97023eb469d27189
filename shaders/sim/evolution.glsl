// Fields of a clEvolution (src/sim/evolution.c) at a cell and around it, and what beyond an edge stands for it.
// Baked in: FIELDS, PERIODIC_X, PERIODIC_Y, PARTIAL, and those for what follows. The outputs' texels are four cells side by side.
#include "sim/evolution_given.glsl"
uniform sampler2D now_u, now_v, now_w, now_q;
uniform vec4 grid;   // columns, rows, h, time
uniform vec4 mirror_u, mirror_v, mirror_w, mirror_q; // by side, left, right, bottom, top: -1 where values are fixed, 1 where nothing flows
#ifdef EDGES
uniform sampler2D edge; // what is added beyond (src/sim/evolution_edges.c)
uniform vec4 edge_row;  // the first one of each field; -1: nothing is added
float beyondAt(float row, int side, int j) {
  return row < 0. ? 0. : texelFetch(edge, ivec2(j >> 2, int(row) + side), 0)[j & 3];
}
vec4 beyondOf(float row, int side, int i) { return row < 0. ? vec4(0.) : texelFetch(edge, ivec2(i, int(row) + side), 0); }
#define ROW(axis) edge_row.axis
#else
#define beyondAt(row, side, j) 0.
#define beyondOf(row, side, i) vec4(0.)
#define ROW(axis) -1.
#endif

// Row j, or the one that stands for it, whose values count a times, and the side beyond which j lies; -1: none.
int rowOf(int j, vec4 mirror, out float a, out int side) {
  int rows = int(grid.y);
  a = 1.;
  side = -1;
#ifdef PERIODIC_Y
  return j < 0 ? j + rows : j >= rows ? j - rows : j;
#else
  bool below = j < 0, above = j >= rows;
  a = below ? mirror.z : above ? mirror.w : 1.;
  side = below ? 2 : above ? 3 : -1;
  return below ? -1 - j : above ? 2 * rows - 1 - j : j;
#endif
}

#ifndef PARTIAL
// A texel, also beyond the edges: there it is mirrored, times `mirror`, plus what is added beyond.
vec4 tile(sampler2D s, vec4 mirror, float first, int i, int j) {
  float a;
  int side, row = rowOf(j, mirror, a, side), columns = int(grid.x) / 4;
#ifdef PERIODIC_X
  i = i < 0 ? i + columns : i >= columns ? i - columns : i;
  vec4 value = a * texelFetch(s, ivec2(i, row), 0);
  return side < 0 ? value : value + beyondOf(first, side, i);
#else
  bool left = i < 0, right = i >= columns;
  i = left ? -1 - i : right ? 2 * columns - 1 - i : i;
  vec4 value = a * texelFetch(s, ivec2(i, row), 0);
  value = side < 0 ? value : value + beyondOf(first, side, i);
  value = left || right ? value.wzyx : value;
  return left ? mirror.x * value + beyondAt(first, 0, row) : right ? mirror.y * value + beyondAt(first, 1, row) : value;
#endif
}
#else
// The same where the last texel of a row is not full: cell by cell.
float cell(sampler2D s, vec4 mirror, float first, int i, int row, float a, int side) {
  int columns = int(grid.x);
#ifdef PERIODIC_X
  i = i < 0 ? i + columns : i >= columns ? i - columns : i;
#else
  bool left = i < 0, right = i >= columns;
  i = left ? -1 - i : right ? 2 * columns - 1 - i : i;
#endif
  float value = a * texelFetch(s, ivec2(i >> 2, row), 0)[i & 3];
  value = side < 0 ? value : value + beyondAt(first, side, i);
#ifndef PERIODIC_X
  value = left ? mirror.x * value + beyondAt(first, 0, row) : right ? mirror.y * value + beyondAt(first, 1, row) : value;
#endif
  return value;
}
vec4 tile(sampler2D s, vec4 mirror, float first, int i, int j) {
  float a;
  int side, row = rowOf(j, mirror, a, side);
  return vec4(cell(s, mirror, first, 4 * i, row, a, side), cell(s, mirror, first, 4 * i + 1, row, a, side),
              cell(s, mirror, first, 4 * i + 2, row, a, side), cell(s, mirror, first, 4 * i + 3, row, a, side));
}
#endif

// Four cells: i columns to the right of this texel's and j rows up. Without RIM so many texels on all sides are within the grid.
#define REACH 3
vec4 field(sampler2D s, vec4 mirror, float first, int i, int j) {
#ifndef RIM
  if (abs(i) <= 4 * REACH && abs(j) <= REACH)
    return neighbours(s, i, j);
#endif
  ivec2 here = ivec2(gl_FragCoord.xy) + ivec2(i >> 2, j);
  int shift = i & 3;
  vec4 p = tile(s, mirror, first, here.x, here.y);
  if (shift == 0)
    return p;
  vec4 r = tile(s, mirror, first, here.x + 1, here.y);
  return shift == 1 ? vec4(p.yzw, r.x) : shift == 2 ? vec4(p.zw, r.xy) : vec4(p.w, r.xyz);
}

vec4 u(int i, int j) { return field(now_u, mirror_u, ROW(x), i, j); }
#if FIELDS > 1
vec4 v(int i, int j) { return field(now_v, mirror_v, ROW(y), i, j); }
#endif
#if FIELDS > 2
vec4 w(int i, int j) { return field(now_w, mirror_w, ROW(z), i, j); }
#endif
#if FIELDS > 3
vec4 q(int i, int j) { return field(now_q, mirror_q, ROW(w), i, j); }
#endif

vec4 at_x(int i, int j) { return grid.z * (4. * floor(gl_FragCoord.x) + vec4(.5, 1.5, 2.5, 3.5) + float(i)); }
vec4 at_y(int i, int j) { return vec4(grid.z * (gl_FragCoord.y + float(j))); }
#define at_t grid.w

#ifdef GIVEN_0
uniform sampler2D data_0;
vec4 given_0(int i, int j) { return field(data_0, vec4(1.), -1., i, j); }
#endif
#ifdef GIVEN_1
uniform sampler2D data_1;
vec4 given_1(int i, int j) { return field(data_1, vec4(1.), -1., i, j); }
#endif
#ifdef DOMAIN
uniform sampler2D domain; // 1 within, 0 outside
vec4 inside(int i, int j) { return field(domain, vec4(1.), -1., i, j); }
#endif

// LINK: 1, or 0 where nothing passes between two cells, since one is outside. SEEN: f at (k, l) as (i, j) sees it: beyond a wall itself.
#if defined DOMAIN && !defined DOMAIN_FIXED
#define LINK(i, j, k, l) (inside(i, j) * inside(k, l))
#define SEEN(f, i, j, k, l) mix(f(i, j), f(k, l), LINK(i, j, k, l))
#else
#define LINK(i, j, k, l) 1.
#define SEEN(f, i, j, k, l) f(k, l)
#endif
#define RIGHT(f, i, j) SEEN(f, i, j, (i) + 1, j)
#define LEFT(f, i, j) SEEN(f, i, j, (i) - 1, j)
#define OVER(f, i, j) SEEN(f, i, j, i, (j) + 1)
#define UNDER(f, i, j) SEEN(f, i, j, i, (j) - 1)

// Differences of a function of (i, j), at (i, j) and at this texel.
#define LAP(f, i, j) ((LEFT(f, i, j) + RIGHT(f, i, j) + UNDER(f, i, j) + OVER(f, i, j) - 4. * f(i, j)) / (grid.z * grid.z))
#define DX(f, i, j) ((RIGHT(f, i, j) - LEFT(f, i, j)) / (2. * grid.z))
#define DY(f, i, j) ((OVER(f, i, j) - UNDER(f, i, j)) / (2. * grid.z))
#define SECOND_X(f, i, j) ((LEFT(f, i, j) + RIGHT(f, i, j) - 2. * f(i, j)) / (grid.z * grid.z))
#define SECOND_Y(f, i, j) ((UNDER(f, i, j) + OVER(f, i, j) - 2. * f(i, j)) / (grid.z * grid.z))
// From this cell to the next, from the last to this one: where they follow each other they reach no farther than to these.
#define NEXT_X(f, i, j) ((f(i + 1, j) - f(i, j)) / grid.z)
#define NEXT_Y(f, i, j) ((f(i, j + 1) - f(i, j)) / grid.z)
#define LAST_X(f, i, j) ((f(i, j) - LEFT(f, i, j)) / grid.z)
#define LAST_Y(f, i, j) ((f(i, j) - UNDER(f, i, j)) / grid.z)
#define FLUX(c, f, i, j, k, l) (LINK(i, j, k, l) * (c(i, j) + c(k, l)) * (f(k, l) - f(i, j)))
#define DIV(c, f, i, j)                                                                                                \
  ((FLUX(c, f, i, j, i - 1, j) + FLUX(c, f, i, j, i + 1, j) + FLUX(c, f, i, j, i, j - 1) + FLUX(c, f, i, j, i, j + 1)) \
   / (2. * grid.z * grid.z))
// A slope that is 0 at extrema (van Leer 1974), and what it makes of f at the upper and the lower face of a cell.
vec4 limited(vec4 a, vec4 b) {
  vec4 product = max(a * b, 0.);
  return 2. * product / (a + b + vec4(equal(product, vec4(0.))) * 1e30);
}
#define SLOPE(f, i, j, x, y)                                                                                           \
  limited(f(i, j) - SEEN(f, i, j, (i) - (x), (j) - (y)), SEEN(f, i, j, (i) + (x), (j) + (y)) - f(i, j))
#define ABOVE(f, i, j, x, y) (f(i, j) + .5 * SLOPE(f, i, j, x, y))
#define BELOW(f, i, j, x, y) (f(i, j) - .5 * SLOPE(f, i, j, x, y))
// a f_x: from the side from which a comes
#define CARRY(a, f, i, j, x, y)                                                                                                    \
  (max(a(i, j), 0.) * LINK(i, j, (i) - (x), (j) - (y)) * (ABOVE(f, i, j, x, y) - ABOVE(f, (i) - (x), (j) - (y), x, y)) +         \
   min(a(i, j), 0.) * LINK(i, j, (i) + (x), (j) + (y)) * (BELOW(f, (i) + (x), (j) + (y), x, y) - BELOW(f, i, j, x, y)))
// a f through the face above a cell
#define PASSES(a, f, i, j, x, y)                                                                                       \
  (LINK(i, j, (i) + (x), (j) + (y)) *                                                                                  \
   (max(.5 * (a(i, j) + a((i) + (x), (j) + (y))), 0.) * ABOVE(f, i, j, x, y) +                                         \
    min(.5 * (a(i, j) + a((i) + (x), (j) + (y))), 0.) * BELOW(f, (i) + (x), (j) + (y), x, y)))
#define UPWIND(a, b, f, i, j) ((CARRY(a, f, i, j, 1, 0) + CARRY(b, f, i, j, 0, 1)) / grid.z)
#define ADV(a, b, f, i, j)                                                                                             \
  ((PASSES(a, f, i, j, 1, 0) - PASSES(a, f, (i) - 1, j, 1, 0) + PASSES(b, f, i, j, 0, 1) - PASSES(b, f, i, (j) - 1, 0, 1)) / grid.z)
#define lap(f) LAP(f, 0, 0)
#define dx(f) DX(f, 0, 0)
#define dy(f) DY(f, 0, 0)
#define div(c, f) DIV(c, f, 0, 0)

// sqrt(-lap) of a field, where the rate asks for it (src/sim/evolution_root.c)
uniform sampler2D root_u, root_v, root_w, root_q;
uniform vec3 root_near;
#define ROOT(s, f, i, j)                                                                                               \
  (field(s, vec4(1.), -1., i, j) + root_near.x * f(i, j) -                                                                  \
   root_near.y * (f(i - 1, j) + f(i + 1, j) + f(i, j - 1) + f(i, j + 1)) +                                             \
   root_near.z * (f(i - 1, j - 1) + f(i + 1, j - 1) + f(i - 1, j + 1) + f(i + 1, j + 1)))
#ifdef ROOT_U
vec4 rootlap_u(int i, int j) { return ROOT(root_u, u, i, j); }
#endif
#ifdef ROOT_V
vec4 rootlap_v(int i, int j) { return ROOT(root_v, v, i, j); }
#endif
#ifdef ROOT_W
vec4 rootlap_w(int i, int j) { return ROOT(root_w, w, i, j); }
#endif
#ifdef ROOT_Q
vec4 rootlap_q(int i, int j) { return ROOT(root_q, q, i, j); }
#endif

#ifdef NOISE
// Normal numbers of variance 1 / dt, independent in all cells and steps and for each n; stages of a step have the same ones.
uniform vec4 noise_key; // 1 / sqrt(dt), the number of steps in two parts, seed
uint scatter(uint x) { // PCG (Jarzynski, Olano 2020)
  x = x * 747796405u + 2891336453u;
  x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
  return (x >> 22u) ^ x;
}
float normal(uint key) {
  uint a = scatter(key), b = scatter(a ^ 0x9e3779b9u);
  float radius = sqrt(-2. * log((float(a >> 8u) + .5) / 16777216.));
  return radius * cos(6.2831853 * float(b >> 8u) / 16777216.);
}
vec4 noise(int n, int i, int j) {
  ivec2 size = ivec2(grid.xy), first = ivec2(4, 1) * ivec2(gl_FragCoord.xy) + ivec2(i, j);
  uint key = scatter(uint(noise_key.y) ^ scatter(uint(noise_key.z) ^ scatter(uint(noise_key.w) ^ scatter(uint(n)))));
  vec4 value;
  for (int k = 0; k < 4; k++) { // beyond the edges those of the opposite side
    ivec2 at = (first + ivec2(k, 0) + size) % size;
    value[k] = normal(scatter(uint(at.x) ^ scatter(uint(at.y) ^ key)));
  }
  return noise_key.x * value;
}
#endif
