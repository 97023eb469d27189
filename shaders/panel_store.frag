// A panel back into the matrix, 2 x 2 packed, rows still where they were.
//   PLU        rows of pivots hold U, the others L = a_ij / pivot; both to the left of their own step hold L
//   JORDAN     columns with a pivot are unit vectors, the others hold their values
//   TRANSFORM  (JORDAN) what the step did to all rows, by pivot: the rest of the matrix will be C + E B, with B the pivots' rows as
//              they were, cleared in C; columns without a pivot are zero
#include "include/panel.glsl"

uniform sampler2D even, odd; // the two textures of the panel; JORDAN: even is the final one
uniform ivec2 steps;         // done; their parity
out vec4 result;

#define FETCH(parity, p) ((parity) == 0 ? texelFetch(even, p, 0) : texelFetch(odd, p, 0))

// Rows 2i and 2i + 1 of column j, where i = row.
vec2 pair(int j, int row) {
  ivec2 at = ivec2(j, row / 2);
  bool up = row % 2 == 0;
#ifdef JORDAN
  vec4 v = texelFetch(even, at, 0), record = texelFetch(even, ivec2(j, height), 0);
  bool has_pivot = j < steps.x && record.y != 0.;
#ifdef TRANSFORM
  v = has_pivot ? v : vec4(0.);
#else
  if (has_pivot)
    v = vec4(equal(4. * float(at.y) + lanes_of_texel, vec4(record.x)));
#endif
  return up ? v.xy : v.zw;
#else
  int parity = min(j, steps.x) & 1;
  vec4 texel = FETCH(parity, at), states = FETCH(steps.y, ivec2(columns, at.y));
  vec2 v = up ? texel.xy : texel.zw, state = up ? states.xy : states.zw;
  if (j >= steps.x)
    return v;
  float pivot = FETCH((j + 1) & 1, ivec2(j + 1, height)).y;
  // U: the pivot of step j or of an earlier one; -1 beyond the matrix, where all is zero
  bvec2 in_u = bvec2(state.x != 0. && state.x <= float(j + 1), state.y != 0. && state.y <= float(j + 1));
  if (pivot == 0.) // on the diagonal and below
    return mix(vec2(0.), v, bvec2(in_u.x && state.x <= float(j), in_u.y && state.y <= float(j)));
  return mix(v / pivot, v, in_u);
#endif
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int j = 2 * p.x, row = p.y;
#ifdef TRANSFORM
#else
  j -= first_column;
  row -= first_row / 2;
#endif
  vec2 left = pair(j, row), right = pair(j + 1, row);
  result = vec4(left.x, right.x, left.y, right.y);
}
