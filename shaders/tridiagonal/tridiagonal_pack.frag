// Chosen systems of four grids as the document's batch: a texel (a, b, c, d) for each row, a system to a column. What row 0 has on its left
// and the last row on its right is zero.
// PERIODIC (Sherman and Morrison): A = A' + u v^T with u = (g, 0, .., 0, c_(n-1)), v = (1, 0, .., 0, a_0 / g), and the batch is A'. CORNER:
// its right-hand side is u.
#include "tridiagonal/tridiagonal_chosen.glsl"

out vec4 row;

void main() {
  float system = listed(floor(gl_FragCoord.x)), i = floor(gl_FragCoord.y);
  row = rowOf(system, i);
#ifdef PERIODIC
  vec4 first = rowOf(system, 0.), final = rowOf(system, rows - 1.);
  float g = gammaOf(first);
#ifdef CORNER
  row.w = 0.;
#endif
  if (i == 0.) {
    row.y -= g;
#ifdef CORNER
    row.w = g;
#endif
  }
  if (i == rows - 1.) {
    row.y -= first.x * final.z / g;
#ifdef CORNER
    row.w += final.z;
#endif
  }
#endif
  if (i == 0.)
    row.x = 0.;
  if (i == rows - 1.)
    row.z = 0.;
  // Rows of one size: only then is the larger of two pivots the better one
  float size = abs(row.x) + abs(row.y) + abs(row.z);
  row /= size > 0. ? size : 1.;
}
