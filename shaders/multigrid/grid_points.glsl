// Grid operators point by point, as src/multigrid/stencil.c has them: for setting up coarse grids. Coefficients cover the whole grid.
#include "include/pass.glsl"

uniform sampler2D a0, a1, a2, a3, a4, a5, a6, a7, a8;
uniform ivec4 grid;       // columns, rows, is the axis periodic?
uniform ivec4 coarsening; // stride in x and y, first in x and y
uniform ivec2 coarse;     // points of the coarse grid

// The neighbour of i at d on an axis, -1 beyond the boundary.
int neighbour(int i, int d, int n, int periodic) {
  int k = i + d;
  return k >= 0 && k < n ? k : periodic == 0 ? -1 : k < 0 ? k + n : k - n;
}
ivec2 neighbour(ivec2 i, ivec2 d) {
  return ivec2(neighbour(i.x, d.x, grid.x, grid.z), neighbour(i.y, d.y, grid.y, grid.w));
}
bool exists(ivec2 i) { return i.x >= 0 && i.y >= 0; }

bool between(int axis, int i) { return coarsening[axis] > 1 && ((i - coarsening[2 + axis]) & 1) != 0; }

// Low and high parent of i on an axis, -1: none.
ivec2 parents(int axis, int i) {
  int t = i - coarsening[2 + axis], n = coarse[axis];
  if (!between(axis, i))
    return ivec2(coarsening[axis] > 1 ? t >> 1 : t, -1);
  int low = ((t + 1) >> 1) - 1, high = low + 1, periodic = grid[2 + axis];
  return ivec2(low >= 0 ? low : periodic == 0 ? -1 : n - 1, high < n ? high : periodic == 0 ? -1 : 0);
}

void row(ivec2 i, out float c[9]) {
  ivec2 p = ivec2(i.x >> 2, i.y);
  int lane = i.x & 3;
  c[0] = texelFetch(a0, p, 0)[lane];
  c[1] = texelFetch(a1, p, 0)[lane];
  c[2] = texelFetch(a2, p, 0)[lane];
  c[3] = texelFetch(a3, p, 0)[lane];
  c[4] = texelFetch(a4, p, 0)[lane];
  c[5] = texelFetch(a5, p, 0)[lane];
  c[6] = texelFetch(a6, p, 0)[lane];
  c[7] = texelFetch(a7, p, 0)[lane];
  c[8] = texelFetch(a8, p, 0)[lane];
}
