// The best candidate of 32 texels one above the other.
#include "elimination/complete.glsl"

out vec4 best;

void main() {
  int x = int(gl_FragCoord.x), first = 32 * int(gl_FragCoord.y);
  vec2 column = alive(x, 1);
  best = no_candidate;
  for (int y = first; y < min(first + 32, textureSize(a, 0).y); y++) {
    vec2 row = alive(y, 0);
    vec4 v = texelFetch(a, ivec2(x, y), 0) * row.rrgg * column.rgrg;
    vec2 at = 2. * vec2(y, x);
    best = better(best, better(better(vec4(v.r, at, 0.), vec4(v.g, at.x, at.y + 1., 0.)),
                               better(vec4(v.b, at.x + 1., at.y, 0.), vec4(v.a, at + 1., 0.))));
  }
}
