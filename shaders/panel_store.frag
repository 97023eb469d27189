// A panel back into the matrix, 2 x 2 packed, rows still where they were.
//   PLU        rows of pivots hold U, the others L = a_ij / pivot; both to the left of their own step hold L
//   JORDAN     columns with a pivot are unit vectors, the others hold their values
//   TRANSFORM  (JORDAN) what the step did to all rows, by pivot: the rest of the matrix will be C + E B, with B the pivots' rows as
//              they were, cleared in C; columns without a pivot are zero
#include "include/panel.glsl"

uniform sampler2D group0, group1, group2, group3, group4, group5, group6, last;
uniform int steps; // done
out vec4 result;

// Columns j and j + 1 (j even) of a row.
vec2 pairAt(int j, ivec2 at) {
  int g = j >> 2;
  vec4 v;
  if (g < 4)
    v = g == 0   ? texelFetch(group0, at, 0)
        : g == 1 ? texelFetch(group1, at, 0)
        : g == 2 ? texelFetch(group2, at, 0)
                 : texelFetch(group3, at, 0);
  else
    v = g == 4   ? texelFetch(group4, at, 0)
        : g == 5 ? texelFetch(group5, at, 0)
        : g == 6 ? texelFetch(group6, at, 0)
                 : texelFetch(last, at, 0);
  return (j & 2) == 0 ? v.xy : v.zw;
}

// One entry: column j < steps of a row in this state, with the record of step j.
#ifdef JORDAN
float entry(float v, int j, int row, vec2 record) {
#ifdef TRANSFORM
  return record.y == 0. ? 0. : v;
#else
  return record.y == 0. ? v : float(record.x == float(row));
#endif
}
#else
float entry(float v, int j, float state, vec2 record) {
  if (record.y == 0.) // zeros on the diagonal and below
    return state != 0. && state <= float(j) ? v : 0.;
  return state != 0. && state <= float(j + 1) ? v : v / record.y; // -1: beyond the matrix, where all is zero
}
#endif

vec2 rowOf(int j, int row) {
  ivec2 at = placeOf(row);
  vec2 v = pairAt(j, at);
#ifdef JORDAN
  int key = row;
#else
  float key = texelFetch(last, at, 0).z;
#endif
#ifdef TRANSFORM
  vec2 beyond = vec2(0.);
#else
  vec2 beyond = v;
#endif
  vec2 first = texelFetch(last, ivec2(j, height), 0).xy, second = texelFetch(last, ivec2(j + 1, height), 0).xy;
  return vec2(j < steps ? entry(v.x, j, key, first) : beyond.x, j + 1 < steps ? entry(v.y, j + 1, key, second) : beyond.y);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int j = 2 * p.x, row = 2 * p.y;
#ifndef TRANSFORM
  j -= first_column;
  row -= first_row;
#endif
  result = vec4(rowOf(j, row), rowOf(j, row + 1));
}
