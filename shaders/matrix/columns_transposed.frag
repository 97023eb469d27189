// Partial sums of A^T x: part k of the target, an image of y, <- the dots of four columns with x over rectangle k of the
// columns' image: (k mod parts_x, k / parts_x), each of `span` texels.
#include "matrix/columns.glsl"

uniform sampler2D x;
uniform vec2 x_texel;
uniform ivec2 span;
uniform int parts_x, y_shift, y_height; // y: texels in a row (2^y_shift), rows
out vec4 partial;

vec4 dots(ivec2 p, int j) {
  vec4 f = textureLod(x, (vec2(p) + 0.5) * x_texel, 0.);
  return vec4(dot(entry(p, j), f), dot(entry(p, j + 1), f), dot(entry(p, j + 2), f), dot(entry(p, j + 3), f));
}

vec4 rowSum(int row, int from, int to, int j) {
  vec4 sum = vec4(0.);
  for (int first = from; first < to; first += 8) {
    int last = min(first + 8, to);
    vec4 group = vec4(0.);
    for (int u = first; u < last; u++)
      group += dots(ivec2(u, row), j);
    sum += group;
  }
  return sum;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int part = p.y / y_height, j = 4 * (((p.y - part * y_height) << y_shift) + p.x);
  ivec2 from = span * ivec2(part % parts_x, part / parts_x), to = min(from + span, image);
  partial = vec4(0.);
  for (int row = from.y; row < to.y; row++)
    partial += rowSum(row, from.x, to.x, j);
}
