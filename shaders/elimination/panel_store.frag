// A panel back into the matrix, 2 x 2 packed, rows still where they were.
//   PLU        rows of pivots hold U, the others L = a_ij / pivot; both to the left of their own step hold L
//   JORDAN     columns with a pivot are unit vectors, the others hold their values
//   TRANSFORM  (JORDAN) what the step did to all rows, by pivot: the rest of the matrix will be C + E B, with B the pivots' rows as
//              they were, cleared in C; columns without a pivot are zero
#include "elimination/panel.glsl"

uniform sampler2DArray other; // MIXED: where groups are that were not rendered last
uniform int in_other;         // a bit for each of these groups
uniform int steps;            // done
out vec4 result;

vec4 storedGroup(int g, ivec2 at) {
#ifdef MIXED
  return (in_other >> g & 1) == 0 ? groupAt(g, at) : texelFetch(other, ivec3(at, g), 0);
#else
  return groupAt(g, at);
#endif
}

// Columns j and j + 1 (j even) of a row, or of a record.
vec2 pairAt(int j, ivec2 at) {
  vec4 v = storedGroup(j >> 2, at);
  return (j & 2) == 0 ? v.xy : v.zw;
}

// One entry, in column j. Of what stands there, and for PLU in the record of this row: `value` and `moved`.
#ifdef JORDAN
float entry(float value, int j, int row, vec2 record) {
#ifdef TRANSFORM
  return j >= steps || record.y == 0. ? 0. : value;
#else
  return j >= steps || record.y == 0. ? value : float(record.x == float(row));
#endif
}
#else
float entry(float value, float moved, int j, float state, vec2 record) {
  if (state > 0. && state <= float(j)) // U
    return moved;
  if (j >= steps)
    return value;
  return state == float(j + 1) ? record.y : record.y == 0. ? 0. : value / record.y;
}
#endif

vec2 rowOf(int j, int row, vec4 records) {
  ivec2 at = placeOf(row);
  vec2 v = pairAt(j, at);
#ifdef JORDAN
  return vec2(entry(v.x, j, row, records.xy), entry(v.y, j + 1, row, records.zw));
#else
  float state = stateOf(row);
  vec2 moved = pairAt(j, placeOfRecord(max(int(state) - 1, 0)));
  return vec2(entry(v.x, moved.x, j, state, records.xy), entry(v.y, moved.y, j + 1, state, records.zw));
#endif
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int j = 2 * p.x, row = 2 * p.y;
#ifndef TRANSFORM
  j -= first_column;
  row -= first_row;
#endif
  vec4 records = vec4(recordOf(j), recordOf(j + 1));
  result = vec4(rowOf(j, row, records), rowOf(j, row + 1, records));
}
