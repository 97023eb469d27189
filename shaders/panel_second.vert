// The pivot of step k from its candidates, for those of step k + 1.
#include "include/choice.glsl"
#include "include/rect.glsl"

uniform sampler2D candidates;
flat out vec4 pivot, first;

void main() {
  float row = bestCandidate(candidates).y;
  vec4 v = texelFetch(column, placeOf(max(int(row), 0)), 0);
  pivot = pivotOf(row, row < 0. ? 0. : v[search.y], search.x);
  first = subtractOf(search.x / 4, v, pivot);
  coverViewport();
}
