// Partial sums of A x: part k of the target, an image of y, <- the sum over columns [4 span k, 4 span (k + 1)).
#include "matrix/columns.glsl"
#include "matrix/table.glsl"

uniform sampler2D x;
uniform vec2 x_texel;
uniform int x_shift, x_count, span; // texels of x: in a row (2^x_shift), in all, in a part
out vec4 partial;

// Columns 4 k to 4 k + 3. Lanes of x beyond the last column are zero.
vec4 four(ivec2 p, int k) {
  vec4 f = item(x, x_texel, k, x_shift);
  int j = 4 * k;
  return (entry(p, j) * f.x + entry(p, j + 1) * f.y) + (entry(p, j + 2) * f.z + entry(p, j + 3) * f.w);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int part = p.y / image.y, end = min((part + 1) * span, x_count);
  p.y -= part * image.y;
  partial = vec4(0.);
  for (int first = part * span; first < end; first += 8) {
    int last = min(first + 8, end);
    vec4 group = vec4(0.);
    for (int k = first; k < last; k++)
      group += four(p, k);
    partial += group;
  }
}
