// A level of the csr residual in double-float, as shaders/matrix/csr.frag is of the product. Numbers are (hi, lo) in a texel.
//   PRODUCTS  the items are -a_k x_column(k); otherwise they are the sums of the level before
//   ROWS      the ranges are rows, four to a texel, and the sums end as r <- b - A x; otherwise one range a texel
#include "include/df64.glsl"
#include "matrix/table.glsl"
#ifdef ROWS
#include "matrix/residual.glsl"
#endif

uniform isampler2D start;
uniform vec2 start_texel;
uniform int start_shift, item_shift;

#ifdef PRODUCTS
uniform sampler2D value, x;
uniform isampler2D column;
uniform vec2 value_texel, x_texel, column_texel;
uniform int x_shift;
void addItem(inout pair sum, int k) {
  // On its own: not every preprocessor takes a macro within itself.
  int position = item(column, column_texel, k, item_shift).r;
  vec2 v = item(x, x_texel, position, x_shift).rg;
  accumulate(sum, -item(value, value_texel, k, item_shift).r, pair(v.x, v.y));
}
#else
uniform sampler2D items;
uniform vec2 items_texel;
void addItem(inout pair sum, int k) {
  vec2 v = item(items, items_texel, k, item_shift).rg;
  accumulate(sum, pair(v.x, v.y));
}
#endif

int startOf(int i) { return item(start, start_texel, i, start_shift).r; }

pair rangeSum(int from, int to) {
  pair total = pair(0., 0.);
  for (int first = from; first < to; first += 16) {
    int last = min(first + 16, to);
    pair sum = pair(0., 0.);
    for (int k = first; k < last; k++)
      addItem(sum, k);
    total = joined(total, sum);
  }
  return total;
}

#ifdef ROWS
void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = p.y * int(extent.x) + 4 * p.x;
  bvec4 valid = inside();
  if (float(p.y) > extent.y) // a helper beyond the target, where garbage could make the loops long
    valid = bvec4(false);
  vec4 hi = vec4(0.), lo = vec4(0.);
  int from = startOf(i);
  for (int lane = 0; lane < 4; lane++)
    if (valid[lane]) {
      int to = startOf(i + lane + 1);
      pair row = rangeSum(from, to);
      hi[lane] = row.hi;
      lo[lane] = row.lo;
      from = to;
    }
  finish(pairs(hi, lo));
}
#else
uniform int sum_shift;
uniform ivec2 end; // the texel after the last range
layout(location = 0) out vec2 partial;
invariant partial;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = (p.y << sum_shift) + p.x;
  bool exists = p.y < end.y || (p.y == end.y && p.x < end.x);
  pair sum = pair(0., 0.);
  if (exists)
    sum = rangeSum(startOf(i), startOf(i + 1));
  partial = vec2(sum.hi, sum.lo);
}
#endif
