// A panel back into the matrix, 2 x 2 packed, rows still where they were.
//   PLU        rows of pivots hold U, the others L = a_ij / pivot; both to the left of their own step hold L
//   JORDAN     columns with a pivot are unit vectors, the others hold their values
//   TRANSFORM  (JORDAN) what the step did to all rows, by pivot: the rest of the matrix will be C + E B, with B the pivots' rows as
//              they were, cleared in C; columns without a pivot are zero
#include "dense/panel.glsl"

uniform sampler2D even, odd, last; // two groups, one after the other, and the last one
uniform int steps; // done
out vec4 result;

// Columns j and j + 1 (j even) of a row.
vec2 pairAt(int j, ivec2 at) {
  vec4 v = (j & 4) == 0 ? texelFetch(even, at, 0) : texelFetch(odd, at, 0);
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

vec2 rowOf(int j, int row, vec4 records) {
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
  return vec2(j < steps ? entry(v.x, j, key, records.xy) : beyond.x,
              j + 1 < steps ? entry(v.y, j + 1, key, records.zw) : beyond.y);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int j = 2 * p.x, row = 2 * p.y;
#ifndef TRANSFORM
  j -= first_column;
  row -= first_row;
#endif
  vec4 records = vec4(texelFetch(last, ivec2(j, height), 0).xy, texelFetch(last, ivec2(j + 1, height), 0).xy);
  result = vec4(rowOf(j, row, records), rowOf(j, row + 1, records));
}
