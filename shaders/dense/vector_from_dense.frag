// x <- the columns of A, 2 x 2 packed, one after the other: x_k = a_ij, k = i + rows j. x is linear.
#include "include/layout.glsl"

uniform sampler2D a;
uniform int rows;
out vec4 x;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int k = 4 * (WIDTH * p.y + p.x), j = k / rows, i = k - rows * j;
  vec4 v;
  for (int lane = 0; lane < 4; lane++) {
    v[lane] = texelFetch(a, ivec2(j, i) >> 1, 0)[2 * (i & 1) + (j & 1)];
    if (++i == rows) {
      i = 0;
      j++;
    }
  }
  x = masked(v);
}
