// (1 - c lap) x = b on a grid of cells, lap in units of the cells: what the passes of a cycle share (src/sim/helmholtz.c).
// Beyond a side that is not periodic a value counts `ghost` times that of the cell beside it.
// PARTIAL: the last texel of a row is not full; then texels of the rim are computed cell by cell.
uniform vec4 shape;  // of the grid of x: columns, rows, is the axis periodic?
uniform vec4 ghost;  // by side: left, right, bottom, top; 0 where the axis is periodic
uniform vec4 system; // c, and factors of sweeps

#define DIAGONAL (1. + 4. * system.x)

#ifdef RIM
// Place k of n on an axis, or the one that stands for it; `times` takes what that counts.
int standIn(int k, int n, float periodic, vec2 sides, inout float times) {
  bool low = k < 0, high = k >= n;
  times *= periodic > 0. ? 1. : low ? sides.x : high ? sides.y : 1.;
  return periodic > 0. ? (low ? k + n : high ? k - n : k) : clamp(k, 0, n - 1);
}
// What sides add to the diagonal of four cells in columns c: cells that stand for their own neighbours
vec4 besideSides(vec4 c, float row) {
  float rows = (row == 0. ? ghost.z : 0.) + (row == shape.y - 1. ? ghost.w : 0.);
  return rows + ghost.x * vec4(equal(c, vec4(0.))) + ghost.y * vec4(equal(c, vec4(shape.x - 1.)));
}
#endif

#if defined RIM && defined PARTIAL
ivec2 cellOf(ivec2 p, out float times) {
  times = 1.;
  int column = standIn(p.x, int(shape.x), shape.z, ghost.xy, times);
  return ivec2(column, standIn(p.y, int(shape.y), shape.w, ghost.zw, times));
}
float value(sampler2D s, ivec2 p) { return texelFetch(s, ivec2(p.x >> 2, p.y), 0)[p.x & 3]; }
float diagonal(ivec2 p) { return DIAGONAL - system.x * besideSides(vec4(p.x), float(p.y)).x; }
#elif defined RIM
// The texel that a texel is, or that stands for it one beyond an end: then all of it is what its nearest cell stands for.
ivec2 texelOf(ivec2 t, out float times) {
  times = 1.;
  int column = standIn(t.x, int(shape.x) / 4, shape.z, ghost.xy, times);
  return ivec2(column, standIn(t.y, int(shape.y), shape.w, ghost.zw, times));
}
vec4 ended(vec4 value, int t) {
  bool low = shape.z == 0. && t < 0, high = shape.z == 0. && t >= int(shape.x) / 4;
  return low ? value.xxxx : high ? value.wwww : value;
}
vec4 tile(sampler2D s, ivec2 t) {
  float times;
  ivec2 p = texelOf(t, times);
  return times * ended(texelFetch(s, p, 0), t.x);
}
vec4 diagonal(ivec2 t) { return DIAGONAL - system.x * besideSides(4. * float(t.x) + vec4(0., 1., 2., 3.), float(t.y)); }
#else
vec4 tile(sampler2D s, ivec2 t) { return texelFetch(s, t, 0); }
vec4 diagonal(ivec2 t) { return vec4(DIAGONAL); }
#endif

// The sum of the four cells beside each of a texel's.
#define AROUND(west, here, east, south, north) (vec4(west.w, here.xyz) + vec4(here.yzw, east.x) + south + north)
