// What double-float arithmetic is for, on x = hi + lo, a row of texels; the host compares with double (src/gl/probe_double.c):
// a residual r <- b - A x with five terms, and a scalar product of as many texels as `count` says.
#include "include/pass.glsl"
#include "include/df64.glsl"

uniform sampler2D hi, lo;
uniform float step_x; // from one texel to the next
uniform int count;
layout(location = 0) out vec4 r_hi;
layout(location = 1) out vec4 r_lo;
invariant r_hi, r_lo;

// The texel k further on, from the start again after the last.
pairs x(int k) {
  vec2 p = vec2(fract(uv.x + float(k) * step_x), uv.y);
  return pairs(textureLod(hi, p, 0.), textureLod(lo, p, 0.));
}

pairs residual() {
  pairs sum = x(9);
  for (int k = 0; k < 5; k++)
    accumulate(sum, -x(k + 3).hi, x(k));
  return settled(sum);
}

pairs product() {
  pairs total = pairs(vec4(0.), vec4(0.));
  for (int first = 0; first < count; first += 4) {
    pairs group = pairs(vec4(0.), vec4(0.));
    for (int k = first; k < first + 4; k++)
      accumulate(group, x(k), x(k + 1));
    total = plus(total, quickTwoSum(group.hi, group.lo));
  }
  return settled(total, total.hi);
}

void main() {
  pairs r;
  if (count == 0)
    r = residual();
  else
    r = product();
  r_hi = r.hi;
  r_lo = r.lo;
}
