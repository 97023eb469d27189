// Steps of the elimination, on a row of the panel, group by group. With l = a_ik / a_pk,
//   PLU     a_ij <- a_ij - l a_pj for j > k and all rows i, also p, with l = 1, and those of earlier pivots, with l = 0 because a_ik
//           is; column k itself keeps its values
//   JORDAN  a_ij <- a_ij - a_ik (a_pj / a_pk) for all rows i but p, a_pj <- a_pj / a_pk, all columns j; column k, which would
//           become a unit vector, holds the transformation instead: -a_ik / a_pk, and 1 / a_pk in row p
// Without a pivot nothing changes, but PLU's row p moves to its record, and Gauss-Jordan clears what is not above the tolerance.
// A pivot is (row or -1, value or 0, number of the step, lane of column k). GROUPS of the panel are rendered, from group FIRST_GROUP on.
#include "elimination/panel.glsl"

#define FIRST_GROUP (8 - GROUPS)

// What a step does to a row.
struct Step {
  float l;     // its multiplier
  bool is_row; // it is the pivot's
  vec4 clears; // JORDAN: 1 where its group with column k is cleared first
};

// `alive`: JORDAN: its state is 0.
Step stepOf(vec4 pivot, vec4 column_group, float row, bool alive) {
  vec4 lane = vec4(equal(vec4(pivot.w), vec4(0., 1., 2., 3.)));
  Step s;
  s.l = dot(column_group, lane);
  s.is_row = takesRow(pivot, row);
#ifdef JORDAN
  s.clears = pivot.y != 0. || alive ? lane : vec4(0.);
#else
  s.clears = vec4(0.);
  s.l = s.is_row ? 1. : pivot.y == 0. ? 0. : s.l / pivot.y;
#endif
  return s;
}

// Group g of the row after the step.
vec4 after(Step s, vec4 pivot, vec4 own, vec4 row_of_pivot, int g) {
#ifdef JORDAN
  if (s.is_row)
    return row_of_pivot;
  if (g == int(pivot.z) / 4)
    own *= 1. - s.clears;
#endif
  return own - s.l * row_of_pivot;
}

// What is subtracted from group g of a row, times its multiplier l, made of the pivot's row; JORDAN: that row to be. Zeros behind the
// panel's columns.
vec4 subtractOf(vec4 pivot, int g, vec4 row) {
  vec4 j = 4. * float(g) + vec4(0., 1., 2., 3.), in_panel = vec4(lessThan(j, vec4(30.)));
#ifdef JORDAN
  return pivot.y == 0. ? vec4(0.) : in_panel * mix(row, vec4(1.), equal(j, vec4(pivot.z))) / pivot.y;
#else
  return in_panel * row * vec4(greaterThan(j, vec4(pivot.z)));
#endif
}

// The pivot of step k in this row (-1: none), whose group with column k is given.
vec4 pivotOf(float row, int k, vec4 group) {
  float value = row < 0. ? 0. : laneOf(group, k);
  return vec4(row, abs(value) > tolerance ? value : 0., float(k), float(k & 3));
}
