// Fields of a clEvolution (src/sim/evolution.c) at a cell and around it, and what beyond an edge stands for it.
// Baked in: FIELDS, PERIODIC_X, PERIODIC_Y, PARTIAL, and those for what follows. The outputs' texels are four cells side by side.
uniform sampler2D now_u, now_v, now_w, now_q;
uniform vec4 grid;   // columns, rows, h, time
uniform vec4 mirror; // by side, left, right, bottom, top: 1 where nothing flows, -1 where values are fixed
uniform vec4 beyond_u, beyond_v, beyond_w, beyond_q; // twice these values, by side

// Row j, or the one that stands for it, whose values count a times, plus b.
int rowOf(int j, vec4 beyond, out float a, out float b) {
  int rows = int(grid.y);
  a = 1.;
  b = 0.;
#ifdef PERIODIC_Y
  return j < 0 ? j + rows : j >= rows ? j - rows : j;
#else
  bool below = j < 0, above = j >= rows;
  a = below ? mirror.z : above ? mirror.w : 1.;
  b = below ? beyond.z : above ? beyond.w : 0.;
  return below ? -1 - j : above ? 2 * rows - 1 - j : j;
#endif
}

#ifndef PARTIAL
// A texel, also beyond the edges: there it is mirrored, times `mirror`, plus `beyond`.
vec4 tile(sampler2D s, vec4 beyond, int i, int j) {
  float a, b;
  int row = rowOf(j, beyond, a, b), columns = int(grid.x) / 4;
#ifdef PERIODIC_X
  return a * texelFetch(s, ivec2(i < 0 ? i + columns : i >= columns ? i - columns : i, row), 0) + b;
#else
  bool left = i < 0, right = i >= columns;
  vec4 value = texelFetch(s, ivec2(left ? -1 - i : right ? 2 * columns - 1 - i : i, row), 0);
  value = a * (left || right ? value.wzyx : value) + b;
  return left ? mirror.x * value + beyond.x : right ? mirror.y * value + beyond.y : value;
#endif
}
#else
// The same where the last texel of a row is not full: cell by cell.
float cell(sampler2D s, vec4 beyond, int i, int row, float a, float b) {
  int columns = int(grid.x);
#ifdef PERIODIC_X
  i = i < 0 ? i + columns : i >= columns ? i - columns : i;
  return a * texelFetch(s, ivec2(i >> 2, row), 0)[i & 3] + b;
#else
  bool left = i < 0, right = i >= columns;
  i = left ? -1 - i : right ? 2 * columns - 1 - i : i;
  float value = a * texelFetch(s, ivec2(i >> 2, row), 0)[i & 3] + b;
  return left ? mirror.x * value + beyond.x : right ? mirror.y * value + beyond.y : value;
#endif
}
vec4 tile(sampler2D s, vec4 beyond, int i, int j) {
  float a, b;
  int row = rowOf(j, beyond, a, b);
  return vec4(cell(s, beyond, 4 * i, row, a, b), cell(s, beyond, 4 * i + 1, row, a, b),
              cell(s, beyond, 4 * i + 2, row, a, b), cell(s, beyond, 4 * i + 3, row, a, b));
}
#endif

// Four cells: i columns to the right of this texel's and j rows up. Without RIM so many texels on all sides are within the grid.
#define REACH 3
vec4 field(sampler2D s, vec4 beyond, int i, int j) {
#ifndef RIM
  if (abs(i) <= 4 * REACH && abs(j) <= REACH)
    return neighbours(s, i, j);
#endif
  ivec2 here = ivec2(gl_FragCoord.xy) + ivec2(i >> 2, j);
  int shift = i & 3;
  vec4 p = tile(s, beyond, here.x, here.y);
  if (shift == 0)
    return p;
  vec4 r = tile(s, beyond, here.x + 1, here.y);
  return shift == 1 ? vec4(p.yzw, r.x) : shift == 2 ? vec4(p.zw, r.xy) : vec4(p.w, r.xyz);
}

vec4 u(int i, int j) { return field(now_u, beyond_u, i, j); }
#if FIELDS > 1
vec4 v(int i, int j) { return field(now_v, beyond_v, i, j); }
#endif
#if FIELDS > 2
vec4 w(int i, int j) { return field(now_w, beyond_w, i, j); }
#endif
#if FIELDS > 3
vec4 q(int i, int j) { return field(now_q, beyond_q, i, j); }
#endif

vec4 at_x(int i, int j) { return grid.z * (4. * floor(gl_FragCoord.x) + vec4(.5, 1.5, 2.5, 3.5) + float(i)); }
vec4 at_y(int i, int j) { return vec4(grid.z * (gl_FragCoord.y + float(j))); }
#define at_t grid.w

// Differences of a function of (i, j), at (i, j) and at this texel.
#define LAP(f, i, j) ((f(i - 1, j) + f(i + 1, j) + f(i, j - 1) + f(i, j + 1) - 4. * f(i, j)) / (grid.z * grid.z))
#define DX(f, i, j) ((f(i + 1, j) - f(i - 1, j)) / (2. * grid.z))
#define DY(f, i, j) ((f(i, j + 1) - f(i, j - 1)) / (2. * grid.z))
#define SECOND_X(f, i, j) ((f(i - 1, j) + f(i + 1, j) - 2. * f(i, j)) / (grid.z * grid.z))
#define SECOND_Y(f, i, j) ((f(i, j - 1) + f(i, j + 1) - 2. * f(i, j)) / (grid.z * grid.z))
// From this cell to the next, from the last to this one: where they follow each other they reach no farther than to these.
#define NEXT_X(f, i, j) ((f(i + 1, j) - f(i, j)) / grid.z)
#define NEXT_Y(f, i, j) ((f(i, j + 1) - f(i, j)) / grid.z)
#define LAST_X(f, i, j) ((f(i, j) - f(i - 1, j)) / grid.z)
#define LAST_Y(f, i, j) ((f(i, j) - f(i, j - 1)) / grid.z)
#define FLUX(c, f, i, j, k, l) ((c(i, j) + c(k, l)) * (f(k, l) - f(i, j)))
#define DIV(c, f, i, j)                                                                                                \
  ((FLUX(c, f, i, j, i - 1, j) + FLUX(c, f, i, j, i + 1, j) + FLUX(c, f, i, j, i, j - 1) + FLUX(c, f, i, j, i, j + 1)) \
   / (2. * grid.z * grid.z))
#define lap(f) LAP(f, 0, 0)
#define dx(f) DX(f, 0, 0)
#define dy(f) DY(f, 0, 0)
#define div(c, f) DIV(c, f, 0, 0)

// sqrt(-lap) of a field, where the rate asks for it (src/sim/evolution_root.c)
uniform sampler2D root_u, root_v, root_w, root_q;
uniform vec3 root_near;
#define ROOT(s, f, i, j)                                                                                               \
  (field(s, vec4(0.), i, j) + root_near.x * f(i, j) -                                                                  \
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

uniform vec4 parameter_0, parameter_1, parameter_2;
#define parameter(k) ((k) < 4 ? parameter_0[(k) & 3] : (k) < 8 ? parameter_1[(k) & 3] : parameter_2[(k) & 3])
