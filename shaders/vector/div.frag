// z_i <- x_i / y_i; with ZERO: 0 where y_i = 0. Padding is 0 / 0 (or 0 / NaN, see texla/vector.h), so it is masked.
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D x, y;
out vec4 z;

void main() {
#ifdef ZERO
  z = masked(divZ(texel(x), texel(y)));
#else
  z = masked(texel(x) / texel(y));
#endif
}
