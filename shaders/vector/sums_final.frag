// The last level: texel k of a column <- sum k
#include "vector/sums.glsl"

out vec4 s;

void main() {
  vec4 sum[SUMS];
  for (int k = 0; k < SUMS; k++)
    sum[k] = vec4(0.);
  for (float v = 0.5; v < size.y; v += 1.)
    for (float u = 0.5; u < size.x; u += 1.)
      addTerm(vec2(u, v) / size, sum);
  int row = int(gl_FragCoord.y);
  for (int k = 0; k < SUMS; k++)
    if (k == row)
      s = sum[k];
}
