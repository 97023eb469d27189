// The second pivot of the six that panel_pair.vert has found, and what both steps subtract.
#include "dense/panel_choose.glsl"
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
  float row = best.x < 0. ? -1. : best.y;
  int k = number.x;
  ivec2 at = placeOf(max(int(first[0].x), 0)), next = placeOf(max(int(row), 0));
  vec4 times[2 * GROUPS], group = texelFetch(column, next, 0);
  bool alive = row >= 0.;
  Step s = stepOf(first[0], group, row, alive);
  vec4 last_pivot = pivotOf(row, k + 1, after(s, first[0], group, subtractOf(first[0], k / 4, texelFetch(column, at, 0)), k / 4));
#define EACH(i, t)                                                                                                          \
  times[i] = subtractOf(first[0], 8 - GROUPS + i, texelFetch(t, at, 0));                                                        \
  times[GROUPS + i] = subtractOf(last_pivot, 8 - GROUPS + i,                                                                    \
                                 after(s, first[0], texelFetch(t, next, 0), times[i], 8 - GROUPS + i));
  FOR_GROUPS
  for (int corner = 0; corner < 3; corner++) {
    pivot = vec4[2](first[0], last_pivot);
    subtract = times;
    txPlaceCorner(corner);
    EmitVertex();
  }
}
