// z <- a alpha x + b beta y in double-float. ALPHA, BETA: these scalars were given; SINGLE: x has no lower part; ALONE: no y
#include "include/pass.glsl"
#include "include/df64.glsl"

uniform sampler2D x, x_low, y, y_low;
uniform vec4 factor; // a, b
layout(location = 0) out vec4 z;
layout(location = 1) out vec4 z_low;
invariant z, z_low;

pairs four(pair v) { return pairs(vec4(v.hi), vec4(v.lo)); }

void main() {
  pair a = pair(factor.x, factor.y);
#ifdef ALPHA
  a = settled(times(a, pair(scalar.x, scalar.y)), a.hi * scalar.x);
#endif
  vec4 v = texel(x), single = a.hi * v;
#ifdef SINGLE
  pairs sum = times(four(a), v);
#else
  pairs sum = times(four(a), pairs(v, texel(x_low)));
#endif
#ifndef ALONE
  pair b = pair(factor.z, factor.w);
#ifdef BETA
  b = settled(times(b, pair(scalar.z, scalar.w)), b.hi * scalar.z);
#endif
  v = texel(y);
  single += b.hi * v;
  sum = plus(sum, times(four(b), pairs(v, texel(y_low))));
#endif
  sum = settled(sum, single);
  z = sum.hi;
  z_low = sum.lo;
}
