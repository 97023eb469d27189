// A level of the csr product: target element i <- the sum of the items in range i.
//   PRODUCTS  the items are a_k x_column(k); otherwise they are the sums of the level before
//   ROWS      the ranges are rows, four to a texel, and the sums end as y <- ca s + cb b; otherwise one range a texel
#include "include/combine.glsl"
#include "include/layout.glsl"
#include "matrix/table.glsl"

uniform int item_shift;

#ifdef PRODUCTS
uniform sampler2D value, x;
uniform isampler2D column;
uniform vec2 value_texel, x_texel, column_texel;
uniform int x_shift;
float term(int k) {
  int position = item(column, column_texel, k, item_shift).r;
  return item(value, value_texel, k, item_shift).r * item(x, x_texel, position, x_shift).r;
}
#else
uniform sampler2D items;
uniform vec2 items_texel;
float term(int k) { return item(items, items_texel, k, item_shift).r; }
#endif

#define NUMBER float
#include "matrix/ranges.glsl"

#ifdef ROWS
out vec4 y;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = p.y * int(extent.x) + 4 * p.x;
  bvec4 valid = inside();
  if (float(p.y) > extent.y) // a helper beyond the target, where garbage could make the loops long
    valid = bvec4(false);
  vec4 sum = vec4(0.);
  int from = startOf(i);
  for (int lane = 0; lane < 4; lane++)
    if (valid[lane]) {
      int to = startOf(i + lane + 1);
      sum[lane] = rangeSum(from, to);
      from = to;
    }
  y = combined(sum);
}
#else
uniform int sum_shift;
uniform ivec2 end; // the texel after the last range
out float sum;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = (p.y << sum_shift) + p.x;
  bool exists = p.y < end.y || (p.y == end.y && p.x < end.x);
  sum = exists ? rangeSum(startOf(i), startOf(i + 1)) : 0.;
}
#endif
