// Step k: eliminates column k with the pivot p. With l = a_ik / a_pk,
//   PLU     a_ij <- a_ij - l a_pj for the active rows i but p, j > k; column k itself keeps its values
//   JORDAN  a_ij <- a_ij - a_ik (a_pj / a_pk) for all rows i but p, a_pj <- a_pj / a_pk, all columns j; column k, which would
//           become a unit vector, holds the transformation instead: -a_ik / a_pk, and 1 / a_pk in row p
// Without a pivot nothing changes, but Gauss-Jordan clears what is not above the tolerance.
#include "dense/candidates.glsl"

uniform sampler2D column, next, last; // the groups with columns k and k + 1 (SAME: one group) and with the states
uniform sampler2D own0, own1, own2, own3, own4, own5, own6;
noperspective in vec2 uv;
flat in vec4 pivot;
flat in vec4 subtract[GROUPS];
layout(location = 0) out vec4 result[GROUPS];

vec4 at(sampler2D s) { return textureLod(s, uv, 0.); }

// What a step does to a row.
struct Step {
  float l;     // its multiplier
  bool is_row; // it is the pivot's
  vec4 clears; // JORDAN: 1 where its group with column k is cleared first
};

Step stepOf(vec4 column_group, float row, bool alive) {
  vec4 lane = vec4(equal(vec4(pivot.w), vec4(0., 1., 2., 3.)));
  Step s;
  s.l = dot(column_group, lane);
  s.is_row = takesRow(pivot, row);
#ifdef JORDAN
  s.clears = pivot.y != 0. || alive ? lane : vec4(0.);
#else
  s.clears = vec4(0.);
  s.l = s.is_row || !alive || pivot.y == 0. ? 0. : s.l / pivot.y;
#endif
  return s;
}

// A group of the row after the step; i: the group's number.
vec4 after(Step s, vec4 own, vec4 row_of_pivot, int i) {
#ifdef JORDAN
  if (s.is_row)
    return row_of_pivot;
  if (i == int(pivot.z) / 4)
    own *= 1. - s.clears;
#endif
  return own - s.l * row_of_pivot;
}

vec4 groupOf(int row) {
  ivec2 at = placeOf(row);
  vec4 c = texelFetch(column, at, 0);
#ifdef SAME
  vec4 own = c;
#else
  vec4 own = texelFetch(next, at, 0);
#endif
  return after(stepOf(c, float(row), texelFetch(last, at, 0).z == 0.), own, subtract[NEXT], NEXT + 8 - GROUPS);
}

bool isActive(int row) { return texelFetch(last, placeOf(row), 0).z == 0. && !takesRow(pivot, float(row)); }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  float row = float(p.x + 256 * p.y);
  vec4 states = at(last);
  Step s = stepOf(at(column), row, states.z == 0.);
#define ELIMINATE(i, own) result[i] = after(s, own, subtract[i], 8 - GROUPS + i)
#if GROUPS > 1
  ELIMINATE(0, at(own0));
#endif
#if GROUPS > 2
  ELIMINATE(1, at(own1));
#endif
#if GROUPS > 3
  ELIMINATE(2, at(own2));
#endif
#if GROUPS > 4
  ELIMINATE(3, at(own3));
#endif
#if GROUPS > 5
  ELIMINATE(4, at(own4));
#endif
#if GROUPS > 6
  ELIMINATE(5, at(own5));
#endif
#if GROUPS > 7
  ELIMINATE(6, at(own6));
#endif
  ELIMINATE(GROUPS - 1, states);
  result[GROUPS - 1].zw = vec2(takesRow(pivot, row) ? pivot.z + 1. : states.z, 0.);
  if (p.y == height)
    result[GROUPS - 1] = p.x == int(pivot.z) ? pivot : states;
  result[GROUPS - 1] = orCandidate(p, result[GROUPS - 1]);
}
