// C <- the matrix whose columns, one after the other, are the linear vector x: c_ij = x_k, k = i + rows j.
#include "dense/dense.glsl"

uniform sampler2D x;
out vec4 c;

float element(int k) { return texelFetch(x, ivec2(k >> 2 & WIDTH - 1, k / (4 * WIDTH)), 0)[k & 3]; }

void main() {
  c = vec4(0.);
  for (int lane = 0; lane < LANES; lane++) {
    ivec2 e = entryOf(lane);
    if (isInside(e))
      c[lane] = element(e.x + int(shape.x) * e.y);
  }
}
