// Step k: eliminates column k with the pivot p. With l = a_ik / a_pk,
//   PLU     a_ij <- a_ij - l a_pj for the active rows i but p, j > k; column k itself keeps its values
//   JORDAN  a_ij <- a_ij - a_ik (a_pj / a_pk) for all rows i but p, a_pj <- a_pj / a_pk, all columns j; column k, which would
//           become a unit vector, holds the transformation instead: -a_ik / a_pk, and 1 / a_pk in row p
// Without a pivot nothing changes, but Gauss-Jordan clears what is not above the tolerance. PAIR: then step k + 1 in the same pass.
#include "include/panel.glsl"

uniform sampler2D column, last; // the groups with column k and with the states
uniform sampler2D own0, own1, own2, own3, own4, own5, own6;
uniform ivec4 search; // k
noperspective in vec2 uv;
flat in vec4 pivot;
flat in vec4 subtract[GROUPS];
#ifdef PAIR
flat in vec4 second;
flat in vec4 subtract_second[GROUPS];
#endif
layout(location = 0) out vec4 result[GROUPS];

vec4 at(sampler2D s) { return textureLod(s, uv, 0.); }

// What one step does to a row.
struct Step {
  float l;     // its multiplier
  bool is_row; // it is the pivot's
  vec4 clears; // JORDAN: 1 where its group with column k is cleared first
};

Step stepOf(vec4 p, vec4 column_group, float row, bool alive) {
  vec4 lane = vec4(equal(vec4(p.w), vec4(0., 1., 2., 3.)));
  Step s;
  s.l = dot(column_group, lane);
  s.is_row = takesRow(p, row);
#ifdef JORDAN
  s.clears = p.y != 0. || alive ? lane : vec4(0.);
#else
  s.clears = vec4(0.);
  s.l = s.is_row || !alive || p.y == 0. ? 0. : s.l / p.y;
#endif
  return s;
}

// A group of the row after a step; i: the group's number.
vec4 after(Step s, vec4 own, vec4 row_of_pivot, int i) {
#ifdef JORDAN
  if (s.is_row)
    return row_of_pivot;
  if (i == search.x / 4)
    own *= 1. - s.clears;
#endif
  return own - s.l * row_of_pivot;
}

void main() {
  vec2 p = floor(gl_FragCoord.xy);
  float row = p.x + 256. * p.y;
  vec4 states = at(last), column_group = at(column);
  Step first = stepOf(pivot, column_group, row, states.z == 0.);
#ifdef PAIR
  vec4 updated = after(first, column_group, subtract[search.x / 4 + GROUPS - 8], search.x / 4);
  Step next = stepOf(second, updated, row, states.z == 0. && !takesRow(pivot, row));
#define ELIMINATE(i, own)                                                                                              \
  result[i] = after(next, after(first, own, subtract[i], 8 - GROUPS + i), subtract_second[i], 8 - GROUPS + i);
#else
#define ELIMINATE(i, own) result[i] = after(first, own, subtract[i], 8 - GROUPS + i);
#endif
#if GROUPS > 1
  ELIMINATE(0, at(own0))
#endif
#if GROUPS > 2
  ELIMINATE(1, at(own1))
#endif
#if GROUPS > 3
  ELIMINATE(2, at(own2))
#endif
#if GROUPS > 4
  ELIMINATE(3, at(own3))
#endif
#if GROUPS > 5
  ELIMINATE(4, at(own4))
#endif
#if GROUPS > 6
  ELIMINATE(5, at(own5))
#endif
#if GROUPS > 7
  ELIMINATE(6, at(own6))
#endif
  ELIMINATE(GROUPS - 1, states)
  result[GROUPS - 1].zw = vec2(takesRow(pivot, row) ? pivot.z + 1. : states.z, 0.);
  if (p.y == float(height))
    result[GROUPS - 1] = p.x == pivot.z ? pivot : states;
#ifdef PAIR
  if (takesRow(second, row) && p.y != float(height))
    result[GROUPS - 1].z = second.z + 1.;
  if (p.y == float(height) && p.x == second.z)
    result[GROUPS - 1] = second;
#endif
}
