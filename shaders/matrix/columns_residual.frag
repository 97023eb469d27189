// Partial sums of -A x in double-float: part k of the targets, an image of r, <- the sum over columns [4 span k, 4 span (k + 1)).
#include "include/df64.glsl"
#include "matrix/columns.glsl"
#include "matrix/table.glsl"

uniform sampler2D x, x_low;
uniform vec2 x_texel, x_low_texel;
uniform int x_shift, x_count, span; // texels of x: in a row (2^x_shift), in all, in a part
layout(location = 0) out vec4 partial;
layout(location = 1) out vec4 partial_low;
invariant partial, partial_low;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int part = p.y / image.y, end = min((part + 1) * span, x_count);
  p.y -= part * image.y;
  pairs total = pairs(vec4(0.), vec4(0.));
  for (int first = part * span; first < end; first += 4) {
    int last = min(first + 4, end);
    pairs sum = pairs(vec4(0.), vec4(0.));
    for (int k = first; k < last; k++) {
      // Lanes beyond the last column are zero.
      vec4 hi = item(x, x_texel, k, x_shift), lo = item(x_low, x_low_texel, k, x_shift);
      for (int j = 0; j < 4; j++)
        accumulate(sum, -entry(p, 4 * k + j), pairs(vec4(hi[j]), vec4(lo[j])));
    }
    total = joined(total, sum);
  }
  partial = total.hi;
  partial_low = total.lo;
}
