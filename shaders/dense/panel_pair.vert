// Two steps at once, k and k + 1 with k even: each of six vertices chooses the first pivot from its candidates and looks through a
// sixth of the rows for the second one.
#include "dense/panel_choose.glsl"

out vec4 first;  // pivot
out vec2 second; // measure and row; measure -1: none is active

void main() {
  float row_of_first = bestRow();
  vec4 its_group = texelFetch(column, placeOf(max(int(row_of_first), 0)), 0);
  first = pivotOf(row_of_first, number.x, its_group);
  vec4 times = subtractOf(first, number.x / 4, its_group);
  second = vec2(-1.);
  for (int row = gl_VertexID; row < matrix.x - first_row; row += 6) {
    ivec2 at = placeOf(row);
    vec4 v = texelFetch(column, at, 0);
    v = after(stepOf(first, v, float(row), true), first, v, times, number.x / 4);
    bool alive = texelFetch(last, at, 0).z == 0. && !takesRow(first, float(row));
    float measure = alive ? abs((number.x & 2) == 0 ? v.y : v.w) : -1.;
    second = measure > second.x ? vec2(measure, float(row)) : second;
  }
}
