// One level of a sum in double-float, as shaders/vector/reduce.frag is of one in single precision.
#include "include/pass.glsl"
#include "vector/double_sums.glsl"

uniform vec2 span; // in the sources' texture coordinates, as stride
uniform float stride;
layout(location = 0) out vec4 partial;
layout(location = 1) out vec4 partial_low;
invariant partial, partial_low;

void main() {
  vec2 p = uv * span;
  pairs total = zero;
  for (int g = 0; g < STRIP; g += 8) {
    pairs sum = zero;
    for (int k = 0; k < 8; k++) {
      addTerm(p, sum);
      p.AXIS += stride;
    }
    total = joined(total, sum);
  }
  partial = total.hi;
  partial_low = total.lo;
}
