// a_ij <- value, or with DIAGONAL only where i = j, else 0
#include "dense/dense.glsl"

uniform float value;
out vec4 a;

void main() {
  a = vec4(0.);
  for (int lane = 0; lane < LANES; lane++) {
    ivec2 e = entryOf(lane);
#ifdef DIAGONAL
    if (isInside(e) && e.x == e.y)
#else
    if (isInside(e))
#endif
      a[lane] = value;
  }
}
