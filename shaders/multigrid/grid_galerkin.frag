// Stencil in, stencil out: coefficients of P^T A P at the coarse points, see txStencilCoarsen.
//   FIRST  coefficients 0 to 4, otherwise 5 to 8 and the inverse of the diagonal
#include "multigrid/grid_points.glsl"

uniform sampler2D w0, w1, w2, w3;
layout(location = 0) out vec4 y0;
layout(location = 1) out vec4 y1;
layout(location = 2) out vec4 y2;
layout(location = 3) out vec4 y3;
layout(location = 4) out vec4 y4;

vec4 weightsAt(ivec2 i) {
  ivec2 p = ivec2(i.x >> 2, i.y);
  int lane = i.x & 3;
  return vec4(texelFetch(w0, p, 0)[lane], texelFetch(w1, p, 0)[lane], texelFetch(w2, p, 0)[lane],
              texelFetch(w3, p, 0)[lane]);
}

// The step between coarse neighbours, which may lie across the end.
int coarseStep(int axis, int from, int to) {
  int d = to - from, n = coarse[axis];
  return d > 1 ? d - n : d < -1 ? d + n : d;
}

// c[at] += w. Softpipe writes to a wrong place if an index is not a constant.
void addAt(inout float c[9], int at, float w) {
  for (int k = 0; k < 9; k++)
    c[k] += k == at ? w : 0.;
}

// c += factor (the row of A at fine i) P, as a stencil around coarse I
void addRow(inout float c[9], float factor, ivec2 i, ivec2 I) {
  float a[9];
  row(i, a);
  for (int k = 0; k < 9; k++) {
    ivec2 d = ivec2(k < 3 ? k : k < 6 ? k - 3 : k - 6, k < 3 ? 0 : k < 6 ? 1 : 2) - 1, q = neighbour(i, d);
    if (a[k] == 0. || !exists(q))
      continue;
    vec4 w = factor * a[k] * weightsAt(q);
    ivec2 px = parents(0, q.x), py = parents(1, q.y);
    for (int p = 0; p < 4; p++)
      if (w[p] != 0.)
        addAt(c, 3 * (coarseStep(1, I.y, py[p >> 1]) + 1) + coarseStep(0, I.x, px[p & 1]) + 1, w[p]);
  }
}

void galerkinRow(ivec2 I, out float c[9]) {
  for (int k = 0; k < 9; k++)
    c[k] = 0.;
  ivec2 centre = coarsening.xy * I + coarsening.zw;
  if (I.x >= coarse.x)
    return;
  for (int dy = 1 - coarsening.y; dy < coarsening.y; dy++)
    for (int dx = 1 - coarsening.x; dx < coarsening.x; dx++) {
      ivec2 i = neighbour(centre, ivec2(dx, dy));
      if (!exists(i) || (dx != 0 && !between(0, i.x)) || (dy != 0 && !between(1, i.y)))
        continue;
      float w = weightsAt(i)[(dx < 0 ? 1 : 0) + (dy < 0 ? 2 : 0)];
      if (w != 0.)
        addRow(c, w, i, I);
    }
}

void main() {
  ivec2 I = ivec2(gl_FragCoord.xy) * ivec2(4, 1);
  vec4 y[5];
  for (int lane = 0; lane < 4; lane++) {
    float c[9];
    galerkinRow(I + ivec2(lane, 0), c);
#ifdef FIRST
    for (int k = 0; k < 5; k++)
      y[k][lane] = c[k];
#else
    for (int k = 0; k < 4; k++)
      y[k][lane] = c[5 + k];
    y[4][lane] = divZ(1., c[4]);
#endif
  }
  y0 = y[0];
  y1 = y[1];
  y2 = y[2];
  y3 = y[3];
  y4 = y[4];
}
