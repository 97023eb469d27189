// Chooses the pivot among the candidates that are left.
#include "elimination/complete.glsl"
#include "include/rect.glsl"

uniform sampler2D candidates;
uniform float tolerance;
flat out vec4 pivot; // value or 0, row, column

void main() {
  vec4 best = no_candidate;
  for (int i = 0; i < textureSize(candidates, 0).x; i++)
    best = better(best, texelFetch(candidates, ivec2(i, 0), 0));
  pivot = abs(best.x) > tolerance ? best : vec4(0., -1., -1., 0.);
  coverRectangle();
}
