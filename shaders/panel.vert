// Chooses the pivot of step k, once per vertex, and hands it on: from the candidates, or with DIRECT from the column itself, which
// saves a pass where columns are short. FORCED: the row after the last pivot, the second one of a 2 x 2 block, is taken when it is active.
#include "include/pivot.glsl"
#include "include/rect.glsl"

uniform sampler2D candidates;
uniform vec2 panel_texel;
flat out vec4 pivot; // row or -1, value or 0, texel of the row, its texture coordinate
flat out vec4 pivot_lane;

float laneOf(int column, float row) { return texelFetch(panel, ivec2(column, int(row) / 4), 0)[int(row) % 4]; }

float bestRow() {
#ifdef DIRECT
  vec2 best = bestOf(0, 1);
#else
  vec2 best = vec2(-1., -1.);
  for (int i = 0; i < search.y; i++) {
    vec2 c = texelFetch(candidates, ivec2(i, 0), 0).xy;
    if (c.x > best.x || (c.x == best.x && c.y < best.y))
      best = c;
  }
#endif
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
  float texel = floor(row / 4.);
  pivot = vec4(row, abs(value) > tolerance ? value : 0., texel, (texel + 0.5) * panel_texel.y);
  pivot_lane = vec4(equal(vec4(row - 4. * texel), lanes_of_texel));
  coverViewport();
}
