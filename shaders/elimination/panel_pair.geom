// The second pivot of the six that panel_pair.vert has found, and what both steps subtract.
#include "elimination/panel_choose.glsl"
#include "include/rect.glsl"

layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 3) out;
in vec4 first[];
in vec2 second[];
flat out vec4 pivot[2];
flat out vec4 subtract[2 * GROUPS];

void main() {
  vec2 best = second[0];
  for (int i = 1; i < 6; i++)
    best = better(best, second[i]);
  float row = rowOf(best, first[0].x);
  int k = number.x;
  ivec2 at = placeOf(max(int(first[0].x), 0)), next = placeOf(max(int(row), 0));
  vec4 times[2 * GROUPS], group = groupAt(k / 4, next);
  Step s = stepOf(first[0], group, row, true);
  vec4 last_pivot = pivotOf(row, k + 1, after(s, first[0], group, subtractOf(first[0], k / 4, groupAt(k / 4, at)), k / 4));
  for (int i = 0; i < GROUPS; i++) {
    int g = FIRST_GROUP + i;
    times[i] = subtractOf(first[0], g, groupAt(g, at));
    times[GROUPS + i] = subtractOf(last_pivot, g, after(s, first[0], groupAt(g, next), times[i], g));
  }
  for (int corner = 0; corner < 3; corner++) {
    pivot = vec4[2](first[0], last_pivot);
    subtract = times;
    txPlaceCorner(corner);
    EmitVertex();
  }
}
