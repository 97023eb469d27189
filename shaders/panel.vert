// Chooses the pivot of step k from the candidates, once per vertex, and hands it on. FORCED: the row after the last pivot, the
// second one of a 2 x 2 block, is taken when it is active.
#include "include/panel.glsl"
#include "include/rect.glsl"

uniform sampler2D panel, candidates;
uniform ivec2 search;    // k, number of candidates
uniform float tolerance; // pivots up to it count as zero
flat out vec4 pivot;     // row or -1, value or 0, texel of the row
flat out vec4 pivot_lane;

float laneOf(int column, float row) { return texelFetch(panel, ivec2(column, int(row) / 4), 0)[int(row) % 4]; }

float bestRow() {
  vec2 best = vec2(-1., -1.);
  for (int i = 0; i < search.y; i++) {
    vec2 c = texelFetch(candidates, ivec2(i, 0), 0).xy;
    if (c.x > best.x || (c.x == best.x && c.y < best.y))
      best = c;
  }
  return best.x < 0. ? -1. : best.y;
}

#ifdef FORCED
float forcedRow() {
#ifdef JORDAN
  float row = texelFetch(panel, ivec2(search.x - 1, height), 0).x + 1.;
#else
  float row = texelFetch(panel, ivec2(search.x, height), 0).x + 1.;
#endif
  return row >= 1. && row < 4. * float(height) && laneOf(columns, row) == 0. ? row : -1.;
}
#endif

void main() {
  float row = bestRow();
#ifdef FORCED
  float forced = forcedRow();
  if (forced >= 0.)
    row = forced;
#endif
  float value = row < 0. ? 0. : laneOf(search.x, row);
  pivot = vec4(row, abs(value) > tolerance ? value : 0., floor(row / 4.), 0.);
  pivot_lane = vec4(equal(vec4(row - 4. * pivot.z), lanes_of_texel));
  coverViewport();
}
