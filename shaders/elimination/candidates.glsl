// Candidates for the pivot of the next step, by the pass that brings its column up to date: number c is the best of rows c, c + n, ...,
// and stands at x = 32 + c beside the records, as (measure, row). The measure of a row, -1 where it is not active:
//   partial pivoting: |a|
//   BLOCK: 2 x 2 blocks of rows and of columns k, k + 1, with the pivots a11 and b22 = a22 - a21 a12 / a11:
//     HARM |a11 b22 / (a11 + b22)|, else |a11 b22|. A column beyond the matrix has a unit pivot. Where a block lacks one of its pivots, and
//     in odd rows, single rows are candidates, behind all blocks: their measure is between -1 and 0 and grows with |a|. So whatever has
//     pivots is factored.
//   FIRST: no pivoting: the first active row, with JORDAN the first that is not zero.
// The rows of earlier pivots are zero where PLU pivots partially, so that states need not be looked at.
#include "elimination/panel.glsl"

uniform ivec2 search; // the column, how many candidates; 0: none are asked for

vec4 groupOf(int row);  // the group with that column, after this pass
bool isActive(int row); // after this pass

#ifdef BLOCK
float measureOfBlock(vec2 a1, vec2 a2, bool beyond) {
  if (abs(a1.x) <= tolerance)
    return 0.;
  float b22 = beyond ? 1. : a2.y - a1.y / a1.x * a2.x, product = abs(a1.x * b22);
  if (abs(b22) <= tolerance)
    return 0.;
#ifdef HARM
  float sum = abs(a1.x + b22);
  return sum == 0. ? 3e38 : min(product / sum, 3e38);
#else
  return min(product, 3e38);
#endif
}

float measureOfSingle(float a) { return abs(a) <= tolerance ? -0.9 : -1e-30 / max(abs(a), 2e-30); }

vec2 pairOf(int row) {
  vec4 v = groupOf(row);
  return (search.x & 3) == 0 ? v.xy : v.zw;
}

float measureOfRow(int row) {
  bool beyond = first_column + search.x + 1 >= matrix.y;
  vec2 own = pairOf(row);
  float m = 0.;
  if ((row & 1) == 0 && (beyond || isActive(row + 1)))
    m = measureOfBlock(own, pairOf(row + 1), beyond);
  return m > 0. ? m : measureOfSingle(own.x);
}
#endif

float measure(int row) {
#ifdef BLOCK
  float m = measureOfRow(row);
#elif defined(FIRST) && !defined(JORDAN)
  float m = 0.;
#elif defined(FIRST)
  float m = float(abs(laneOf(groupOf(row), search.x)) > tolerance);
#else
  float m = abs(laneOf(groupOf(row), search.x));
#endif
#ifdef WITH_STATES
  return isActive(row) ? m : -1.;
#else
  return m;
#endif
}

// The texel of group 7 at p: a candidate, or the value that it has anyhow. AT_ONCE rows at once: their fetches do not wait for each other.
vec4 orCandidate(ivec2 p, vec4 value) {
  bool asked = p.y == height && p.x >= 32 && p.x < 32 + search.y;
  int n = search.y, end = matrix.x - first_row - 1;
  vec2 best = vec2(-1., 1e9);
  for (int row = asked ? p.x - 32 : matrix.x; row <= end; row += AT_ONCE * n) {
    float m[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++)
      m[i] = measure(min(row + i * n, end));
    for (int i = 0; i < AT_ONCE; i++)
      best = m[i] > best.x ? vec2(m[i], float(min(row + i * n, end))) : best;
  }
  return asked ? vec4(best, 0., 0.) : value;
}
