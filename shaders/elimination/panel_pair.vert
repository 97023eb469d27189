// Two steps at once, k and k + 1 with k even: each of six vertices chooses the first pivot from its candidates and looks through a
// sixth of the rows for the second one.
#include "elimination/panel_choose.glsl"

out vec4 first;  // pivot
out vec2 second; // measure and row; measure -1: none is active

void main() {
  int g = number.x / 4;
  float row_of_first = bestRow();
  vec4 its_group = groupAt(g, placeOf(max(int(row_of_first), 0)));
  first = pivotOf(row_of_first, number.x, its_group);
  vec4 times = subtractOf(first, g, its_group);
  second = vec2(-1.);
  for (int row = gl_VertexID; row < matrix.x - first_row; row += 6) {
    vec4 v = groupAt(g, placeOf(row));
    v = after(stepOf(first, v, float(row), true), first, v, times, g);
    float measure = abs((number.x & 2) == 0 ? v.y : v.w);
#ifdef WITH_STATES
    measure = stateOf(row) == 0. && !takesRow(first, float(row)) ? measure : -1.;
#endif
    second = measure > second.x ? vec2(measure, float(row)) : second;
  }
}
