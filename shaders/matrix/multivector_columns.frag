// Partial sums of A X: part k of target j, an image of one vector, <- the sum over columns [span k, span (k + 1)) of A times
// vector j of the multivectors. Four rows to a texel, so that one texel of A serves 4 rows and all vectors.
#include "matrix/columns.glsl"

uniform sampler2D x0, x1;
uniform vec2 x0_texel;
uniform int x_row, x_count, span; // columns of A: in a row of X, in all, in a part
layout(location = 0) out vec4 partial[4 * GROUPS];

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int part = p.y / image.y, first = part * span, end = min(first + span, x_count);
  p.y -= part * image.y;
  vec2 at = vec2(first % x_row, first / x_row) + 0.5;
  vec4 sum[4 * GROUPS];
  for (int k = 0; k < 4 * GROUPS; k++)
    sum[k] = vec4(0.);
  for (int j = first; j < end; j++) {
    vec4 a = entry(p, j), f = textureLod(x0, at * x0_texel, 0.);
    for (int k = 0; k < 4; k++)
      sum[k] += a * f[k];
#if GROUPS == 2
    f = textureLod(x1, at * x0_texel, 0.);
    for (int k = 0; k < 4; k++)
      sum[4 + k] += a * f[k];
#endif
    at.x += 1.;
    if (at.x > float(x_row))
      at = vec2(0.5, at.y + 1.);
  }
  for (int k = 0; k < 4 * GROUPS; k++)
    partial[k] = sum[k];
}
