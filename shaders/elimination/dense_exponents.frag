// The largest exponents of the rows of a 2 x 2 packed matrix, or with COLUMNS of its columns, in parts of `part` texels: texel (i, k)
// (with COLUMNS (k, i)) of the target holds those of rows (columns) 2k and 2k + 1 in part i. The exponent of a is e with
// 2^(e-1) <= |a| < 2^e. With SHIFTED that of column (row) j is counted shift_j higher. Exponents are taken from the bits, so that what is
// not finite is seen on devices, too, whose comparisons do not know NaN.
uniform sampler2D a;
#ifdef SHIFTED
uniform sampler2D shift; // texel j: of 2j and 2j + 1
#endif
uniform int part;
out vec2 largest;

const float none = -1e4, not_finite = 1e4;

vec4 biased(ivec4 bits) { return vec4((bits >> 23) & 255); }

// Numbers below 2^-126, of which devices may make zeros, are integers times 2^-149.
vec4 exponentsOf(vec4 v, vec4 shifts) {
  ivec4 bits = floatBitsToInt(v) & 0x7fffffff;
  vec4 e = mix(biased(bits) - 126., biased(floatBitsToInt(vec4(bits))) - 126. - 149., lessThan(bits, ivec4(1 << 23)));
  e = mix(e + shifts, vec4(none), equal(bits, ivec4(0)));
  return mix(e, vec4(not_finite), greaterThanEqual(bits, ivec4(0x7f800000)));
}

// Of the i-th texel along the part.
vec2 pair(int i) {
#ifdef COLUMNS
  ivec2 p = ivec2(int(gl_FragCoord.x), i);
#else
  ivec2 p = ivec2(i, int(gl_FragCoord.y));
#endif
  vec2 s = vec2(0.);
#ifdef SHIFTED
  s = texelFetch(shift, ivec2(i, 0), 0).rg;
#endif
#ifdef COLUMNS
  vec4 e = exponentsOf(texelFetch(a, p, 0), s.rrgg);
  return max(e.xy, e.zw);
#else
  vec4 e = exponentsOf(texelFetch(a, p, 0), s.rgrg);
  return max(e.xz, e.yw);
#endif
}

void main() {
#ifdef COLUMNS
  int number = int(gl_FragCoord.y), n = textureSize(a, 0).y;
#else
  int number = int(gl_FragCoord.x), n = textureSize(a, 0).x;
#endif
  largest = vec2(none);
  for (int i = number * part; i < min((number + 1) * part, n); i++)
    largest = max(largest, pair(i));
}
