// A level of the csr product with multivectors: see csr.frag. A row is a texel; x0 and x1 are the multivectors, or the sums of the level
// before.
//   PARTIAL  the ranges are parts of rows
#include "matrix/multivector.glsl"
#include "matrix/table.glsl"

uniform vec2 x0_texel;
uniform int x_shift;
#define itemOfX(k) multivectorsAt((vec2(ivec2((k) & ((1 << x_shift) - 1), (k) >> x_shift)) + 0.5) * x0_texel)

#ifdef PRODUCTS
uniform int item_shift;
uniform sampler2D value;
uniform isampler2D column;
uniform vec2 value_texel, column_texel;
MULTIVECTORS term(int k) {
  return item(value, value_texel, k, item_shift).r * itemOfX(item(column, column_texel, k, item_shift).r);
}
#else
MULTIVECTORS term(int k) { return itemOfX(k); }
#endif

#define NUMBER MULTIVECTORS
#include "matrix/ranges.glsl"

#ifdef PARTIAL
uniform int sum_shift;
uniform ivec2 end; // the texel after the last range
layout(location = 0) out vec4 sum[GROUPS];

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = (p.y << sum_shift) + p.x;
  bool exists = p.y < end.y || (p.y == end.y && p.x < end.x);
  MULTIVECTORS total = exists ? rangeSum(startOf(i), startOf(i + 1)) : MULTIVECTORS(0.);
  for (int g = 0; g < GROUPS; g++)
    sum[g] = group(total, g);
}
#else
void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int i = p.y * int(extent.x) + p.x;
  bool exists = inside().x && float(p.y) <= extent.y; // a helper beyond the target, where garbage could make the loop long
  finish(exists ? rangeSum(startOf(i), startOf(i + 1)) : MULTIVECTORS(0.));
}
#endif
