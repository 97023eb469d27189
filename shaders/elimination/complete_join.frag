// The best of every `stride`-th column of candidates.
#include "elimination/complete.glsl"

uniform int stride;
out vec4 best;

void main() {
  ivec2 size = textureSize(a, 0);
  best = no_candidate;
  for (int x = int(gl_FragCoord.x); x < size.x; x += stride)
    for (int y = 0; y < size.y; y++)
      best = better(best, texelFetch(a, ivec2(x, y), 0));
}
