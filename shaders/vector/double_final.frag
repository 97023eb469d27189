// The last level: s + s_low <- RESULT, an expression in r, the sum of what is left.
#include "vector/double_sums.glsl"

layout(location = 0) out float s;
layout(location = 1) out float s_low;
invariant s, s_low;

pair lane(pairs v, int k) { return pair(v.hi[k], v.lo[k]); }

void main() {
  pairs total = zero;
  for (float v = 0.5; v < size.y; v += 1.)
    for (float u = 0.5; u < size.x; u += 1.) {
      pairs sum = zero;
      addTerm(vec2(u, v) / size, sum);
      total = joined(total, sum);
    }
  pair r = plus(plus(lane(total, 0), lane(total, 1)), plus(lane(total, 2), lane(total, 3)));
  r = settled(r, (total.hi.x + total.hi.y) + (total.hi.z + total.hi.w));
  r = RESULT;
  s = r.hi;
  s_low = r.lo;
}
