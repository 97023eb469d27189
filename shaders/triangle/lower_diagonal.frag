// The diagonal of a lower triangle: texel k holds entries 2k and 2k + 1. SCALE: instead, powers of two s with 1 <= s^2 a < 4 (1 where a is not
// positive).
#include "triangle/lower.glsl"

uniform sampler2D lower;
out vec2 diagonal;

float entryAt(int i) {
  float a = i < triangle.y ? entryOfLower(lower, ivec2(i)) : 0.;
#ifdef SCALE
  int exponent = (floatBitsToInt(a) >> 23 & 255) - 127;
  a = a > 0. && exponent > -127 && exponent < 128 ? intBitsToFloat((127 - (exponent >> 1)) << 23) : 1.;
#endif
  return a;
}

void main() {
  int k = 2 * int(gl_FragCoord.x);
  diagonal = vec2(entryAt(k), entryAt(k + 1));
}
