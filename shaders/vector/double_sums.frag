// One level of a sum in double-float, as shaders/vector/reduce.frag is of one in single precision.
#include "include/pass.glsl"
#include "vector/double_sums.glsl"
#include "vector/strip.glsl"

layout(location = 0) out vec4 partial;
layout(location = 1) out vec4 partial_low;
invariant partial, partial_low;

void main() {
  vec2 p = placeInStrip(0);
  pairs total = zero;
  for (int g = 0; g < STRIP; g += 8) {
    pairs sum = zero;
    for (int k = 0; k < 8; k++) {
      addTerm(p, sum);
      ADVANCE(p);
    }
    total = joined(total, sum);
  }
  partial = total.hi;
  partial_low = total.lo;
}
