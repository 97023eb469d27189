// (x, x_low) <- doubles: their 64 bits lie one to a texel, the lower word first (src/vector/double.c).
#include "include/layout.glsl"

uniform isampler2D bits;
layout(location = 0) out vec4 x;
layout(location = 1) out vec4 x_low;

// v 2^k for -252 <= k <= 127, rounded once
float power(int k) { return uintBitsToFloat(uint(k + 127) << 23); }
float scaled(float v, int k) { return v * power(max(k, -126)) * power(min(k + 126, 0)); }

// (1 + m / 2^52) 2^e = first 2^(e - 23) + rest 2^(e - 52): 24 digits, rounded, and what that leaves, |rest| <= 2^28
vec2 split(uvec2 w) {
  int e = int(w.y >> 20 & 0x7ffu) - 1023;
  uint sign = w.y & 0x80000000u, m = w.y & 0xfffffu;
  int rest = int(w.x & 0x1fffffffu), first = int(0x800000u | m << 3 | w.x >> 29);
  if (rest > 0x10000000) {
    rest -= 0x20000000;
    first++;
  }
  float s = sign == 0u ? 1. : -1.;
  if (e == 1024) // Inf, NaN
    return vec2(uintBitsToFloat(sign | 0x7f800000u | ((m | w.x) == 0u ? 0u : 0x400000u)), 0.);
  if (e > 127 || (e == 127 && first > 0xffffff))
    return vec2(uintBitsToFloat(sign | 0x7f800000u), 0.);
  if (e < -126) // subnormal as a float, or zero
    return vec2(e < -151 ? 0. : s * scaled(float(first), e - 23), 0.);
  return s * vec2(scaled(float(first), e - 23), scaled(float(rest), e - 52));
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  bvec4 valid = inside();
  x = x_low = vec4(0.);
  for (int lane = 0; lane < 4; lane++)
    if (valid[lane]) {
      vec2 v = split(uvec2(texelFetch(bits, ivec2(4 * p.x + lane, p.y), 0).xy));
      x[lane] = v.x;
      x_low[lane] = v.y;
    }
}
