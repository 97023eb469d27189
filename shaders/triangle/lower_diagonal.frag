// The diagonal of a lower triangle: texel k holds entries 2k and 2k + 1. SCALE: instead, powers of two s with 1 <= s^2 a < 4 (1 where a is not
// positive). Numbers below 2^-126, of which devices may make zeros, are integers times 2^-149.
#include "triangle/lower.glsl"

uniform sampler2D lower;
out vec2 diagonal;

float entryAt(int i) {
  float a = i < triangle.y ? entryOfLower(lower, ivec2(i)) : 0.;
#ifdef SCALE
  int bits = floatBitsToInt(a), exponent = (bits >> 23 & 255) - 127;
  if (exponent == -127)
    exponent = (floatBitsToInt(float(bits)) >> 23 & 255) - 127 - 149;
  a = bits > 0 && exponent < 128 ? intBitsToFloat((127 - (exponent >> 1)) << 23) : 1.;
#endif
  return a;
}

void main() {
  int k = 2 * int(gl_FragCoord.x);
  diagonal = vec2(entryAt(k), entryAt(k + 1));
}
