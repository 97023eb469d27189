// Flow on the staggered grid (src/sim/flow.c). Cell (i, j) holds p and the dye at its centre, u on its right face and v on
// its top face. What lies outside of the grid is a + b times the value inside, along the rim, from the table `rim`:
//   row 5 s + 0  the velocity through side s (left, right, bottom, top), read at the low sides only: given, or at an outflow
//                what the stages of a step made of it (flow_gate.frag)
//   rows + 1, 2  a and b of the velocity along the side        rows + 3, 4  a and b of the dye
// Nothing here branches: software devices run both sides of a branch.
uniform sampler2D u, v, p, dye, rim;
uniform vec4 cells; // columns, rows, is the axis periodic?

#define LEFT 0
#define RIGHT 5
#define BOTTOM 10
#define TOP 15

ivec2 size() { return ivec2(cells.xy); }
// Column of the first of this texel's four cells, and its row.
ivec2 cell() { ivec2 t = ivec2(gl_FragCoord.xy); return ivec2(4 * t.x, t.y); }

// A place on an axis of n: wrapped, or held inside.
int held(int i, int n, float periodic) {
  return periodic > 0. ? (i < 0 ? i + n : i >= n ? i - n : i) : clamp(i, 0, n - 1);
}
int column(int i) { return held(i, size().x, cells.z); }
int line(int j) { return held(j, size().y, cells.w); }
// Does the row (column) lie outside, on an axis that is not periodic?
bool below(int j) { return cells.w == 0. && j < 0; }
bool above(int j) { return cells.w == 0. && j >= size().y; }
bool before(int i) { return cells.z == 0. && i < 0; }
bool behind(int i) { return cells.z == 0. && i >= size().x; }

// Software devices sample faster than they fetch.
vec4 texelOf(sampler2D s, ivec2 c) { return textureLod(s, (vec2(c) + 0.5) / vec2(textureSize(s, 0)), 0.); }
float fetch(sampler2D s, int i, int j) {
  vec4 t = texelOf(s, ivec2(i >> 2, j));
  int lane = i & 3;
  return lane < 2 ? (lane == 0 ? t.x : t.y) : (lane == 2 ? t.z : t.w);
}

// Is this lane's right neighbour outside, or on the other side?
bvec4 last() { return equal(vec4(cell().x) + vec4(0., 1., 2., 3.), vec4(cells.x - 1.)); }

// Row r of the table for this texel's columns, shifted by dx = -1, 0, 1.
vec4 rimRow(int r, int dx) {
  ivec2 c = cell();
  vec4 here = texelOf(rim, ivec2(c.x >> 2, r));
  if (dx < 0)
    return vec4(fetch(rim, column(c.x - 1), r), here.xyz);
  if (dx == 0)
    return here;
  return mix(vec4(here.yzw, fetch(rim, column(c.x + 4), r)), vec4(fetch(rim, column(size().x), r)), last());
}
// The values along the bottom or the top, where row j lies beyond.
vec4 alongRows(vec4 value, int j, int entry, int dx) {
  int side = j < 0 ? BOTTOM : TOP;
  return below(j) || above(j) ? rimRow(side + entry, dx) + rimRow(side + entry + 1, dx) * value : value;
}

#ifdef RIM
// Replaces what lies outside by `low` (the first lane's left neighbour) and `high`.
vec4 patched(vec4 value, int dx, float low, vec4 high) {
  if (dx < 0)
    value.x = cell().x == 0 ? low : value.x;
  return dx > 0 ? mix(value, high, last()) : value;
}

// The same for the four cells of this texel, shifted by dx columns and dy rows, each -1, 0 or 1.
vec4 U(int dx, int dy) {
  int j = cell().y + dy, row = line(j);
  float low = cells.z > 0. ? fetch(u, size().x - 1, row) : fetch(rim, row, LEFT);
  vec4 high = cells.z > 0. ? vec4(fetch(u, 0, row)) : neighbours(u, 0, row - cell().y);
  vec4 value = patched(neighbours(u, dx, row - cell().y), dx, low, high);
  return dy == 0 ? value : alongRows(value, j, 1, dx);
}

vec4 vRow(int dx, int j) {
  vec4 value = neighbours(v, dx, line(j) - cell().y);
  return below(j) ? rimRow(BOTTOM, dx) : value;
}
vec4 V(int dx, int dy) {
  int j = cell().y + dy, row = line(j);
  vec4 value = dy < 0 ? vRow(dx, j) : neighbours(v, dx, row - cell().y);
  if (dx == 0)
    return value;
  vec4 own = dy < 0 ? vRow(0, j) : neighbours(v, 0, row - cell().y);
  int side = dx < 0 ? LEFT : RIGHT;
  float a = fetch(rim, row, side + 1), b = fetch(rim, row, side + 2);
  vec4 low = a + b * own, high = low;
  if (cells.z > 0.) {
    low = below(j) ? value : vec4(fetch(v, size().x - 1, row));
    high = below(j) ? value : vec4(fetch(v, 0, row));
  }
  return patched(value, dx, low.x, high);
}

// On one axis at a time.
vec4 D(int dx, int dy) {
  int j = cell().y + dy, row = line(j);
  vec4 value = neighbours(dye, dx, row - cell().y), own = texel(dye);
  if (dx == 0)
    return dy == 0 ? value : alongRows(value, j, 3, 0);
  int side = dx < 0 ? LEFT : RIGHT;
  float a = fetch(rim, row, side + 3), b = fetch(rim, row, side + 4);
  float low = cells.z > 0. ? fetch(dye, size().x - 1, row) : a + b * own.x;
  return patched(value, dx, low, cells.z > 0. ? vec4(fetch(dye, 0, row)) : a + b * own);
}

// Beyond an outflow the pressure is zero; elsewhere beyond the grid it does not matter. dx, dy: 0 or 1
vec4 P(int dx, int dy) {
  int j = cell().y + dy, row = above(j) ? j : line(j);
  vec4 value = neighbours(p, dx, row - cell().y);
  return dx > 0 && cells.z > 0. ? patched(value, dx, 0., vec4(fetch(p, 0, row))) : value;
}

// A map of cells or faces, shifted by dx columns or dy rows: from the other side of a periodic axis, otherwise zero beyond the
// grid.
vec4 mapAt(sampler2D s, int dx, int dy) {
  int j = cell().y + dy, row = below(j) || above(j) ? j : line(j);
  vec4 value = neighbours(s, dx, row - cell().y);
  return dx != 0 && cells.z > 0. ? patched(value, dx, fetch(s, size().x - 1, row), vec4(fetch(s, 0, row))) : value;
}
#else // texels that have others all around them, most of all: nothing that is near lies outside
vec4 U(int dx, int dy) { return neighbours(u, dx, dy); }
vec4 V(int dx, int dy) { return neighbours(v, dx, dy); }
vec4 D(int dx, int dy) { return neighbours(dye, dx, dy); }
vec4 P(int dx, int dy) { return neighbours(p, dx, dy); }
vec4 mapAt(sampler2D s, int dx, int dy) { return neighbours(s, dx, dy); }
#endif

// What lies around a point: lower left, lower right, upper left, upper right, from low on.
vec4 around(sampler2D s, ivec2 low) {
  int x0 = column(low.x), x1 = column(low.x + 1), y0 = line(low.y), y1 = line(low.y + 1);
  return vec4(fetch(s, x0, y0), fetch(s, x1, y0), fetch(s, x0, y1), fetch(s, x1, y1));
}
// The table's entries for two cells along a side.
vec2 rimPair(int r, int k, int l) { return vec2(fetch(rim, k, r), fetch(rim, l, r)); }
vec4 aroundRows(vec4 q, ivec2 low, int entry) {
  int r = (low.y < 0 ? BOTTOM : TOP) + entry, x0 = column(low.x), x1 = column(low.x + 1);
  vec2 a = rimPair(r, x0, x1), b = rimPair(r + 1, x0, x1);
  q.xy = below(low.y) ? a + b * q.xy : q.xy;
  q.zw = above(low.y + 1) ? a + b * q.zw : q.zw;
  return q;
}
vec4 aroundColumns(vec4 q, ivec2 low, int entry) {
  int r = (low.x < 0 ? LEFT : RIGHT) + entry, y0 = line(low.y), y1 = line(low.y + 1);
  vec2 a = rimPair(r, y0, y1), b = rimPair(r + 1, y0, y1);
  q.xz = before(low.x) ? a + b * q.xz : q.xz;
  q.yw = behind(low.x + 1) ? a + b * q.yw : q.yw;
  return q;
}
vec4 uAround(ivec2 low) {
  vec4 q = around(u, low);
  q.xz = before(low.x) ? rimPair(LEFT, line(low.y), line(low.y + 1)) : q.xz;
  return aroundRows(q, low, 1);
}
vec4 vAround(ivec2 low) {
  vec4 q = around(v, low);
  q.xy = below(low.y) ? rimPair(BOTTOM, column(low.x), column(low.x + 1)) : q.xy;
  return aroundColumns(q, low, 1);
}
vec4 dyeAround(ivec2 low) { return aroundRows(aroundColumns(around(dye, low), low, 3), low, 3); }

// Bilinear interpolation at `place`, in grid steps from the field's first value.
#define INTERPOLATE(name, around)                                                                                      \
  float name(vec2 place) {                                                                                             \
    vec2 low = floor(place), t = place - low;                                                                          \
    vec4 q = around(ivec2(low));                                                                                       \
    return mix(mix(q.x, q.y, t.x), mix(q.z, q.w, t.x), t.y);                                                           \
  }
INTERPOLATE(uFrom, uAround)
INTERPOLATE(vFrom, vAround)
