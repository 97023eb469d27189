// (1 - c lap) x = b on a grid of cells, lap in units of the cells: what the passes of a cycle share (src/sim/helmholtz.c).
// Beyond a side that is not periodic a value counts `ghost` times that of the cell beside it.
uniform vec4 shape;  // of the grid of x: columns, rows, is the axis periodic?
uniform vec4 ghost;  // by side: left, right, bottom, top; 0 where the axis is periodic
uniform vec4 system; // c, and factors of sweeps

#define DIAGONAL (1. + 4. * system.x)

#ifdef RIM
// Row or column k of n, or the one that stands for it; `times` takes what that counts.
int standIn(int k, int n, float periodic, vec2 sides, inout float times) {
  bool low = k < 0, high = k >= n;
  times *= periodic > 0. ? 1. : low ? sides.x : high ? sides.y : 1.;
  return periodic > 0. ? (low ? k + n : high ? k - n : k) : clamp(k, 0, n - 1);
}
ivec2 cellOf(ivec2 p, out float times) {
  times = 1.;
  int column = standIn(p.x, int(shape.x), shape.z, ghost.xy, times);
  return ivec2(column, standIn(p.y, int(shape.y), shape.w, ghost.zw, times));
}
float value(sampler2D s, ivec2 p) { return texelFetch(s, ivec2(p.x >> 2, p.y), 0)[p.x & 3]; }

// What a cell is multiplied by: neighbours that it stands for are among it.
float diagonal(ivec2 p) {
  ivec2 end = ivec2(shape.xy) - 1;
  vec4 beside = ghost * vec4(p.x == 0, p.x == end.x, p.y == 0, p.y == end.y);
  return DIAGONAL - system.x * (beside.x + beside.y + beside.z + beside.w);
}
#endif
