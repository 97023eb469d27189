// How every residual in double-float ends (src/matrix/residual.h): r <- b - A x, where `product` holds -A x as a compensated or a joined sum.
//   PAIR  r is double-float, else factor r rounded to single precision
#include "include/df64.glsl"
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D b, b_low;
uniform float factor;
layout(location = 0) out vec4 r;
invariant r;
#ifdef PAIR
layout(location = 1) out vec4 r_low;
invariant r_low;
#endif

pairs right() { return pairs(texel(b), texel(b_low)); }

void finish(pairs product) {
  pairs sum = joined(right(), product);
#ifdef PAIR
  r = masked(sum.hi);
  r_low = masked(sum.lo);
#else
  r = masked(factor * sum.hi);
#endif
}
