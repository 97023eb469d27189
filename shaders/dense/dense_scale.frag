// c_ij <- a_ij 2^(s row_i + t col_j), 2 x 2 packed, with (s, t) = signs; texel k of the exponents holds those of 2k and 2k + 1. In two
// factors, because the power itself may be out of range where the result is not.
uniform sampler2D a, row, col;
uniform vec2 signs;
out vec4 c;

// 2^e for -127 < e < 128, 0 below
vec4 power(vec4 e) { return intBitsToFloat((ivec4(clamp(e, -127., 127.)) + 127) << 23); }

// m with m 2^e = v 2^(e as it was). Numbers below 2^-126, of which devices may make zeros, are integers times 2^-149.
vec4 mantissa(vec4 v, inout vec4 e) {
  ivec4 bits = floatBitsToInt(v), magnitude = bits & 0x7fffffff;
  bvec4 tiny = lessThan(magnitude, ivec4(1 << 23));
  vec4 whole = vec4(magnitude) * (1. - 2. * vec4(lessThan(bits, ivec4(0))));
  e -= mix(vec4(0.), vec4(149.), tiny);
  return mix(v, whole, tiny);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec2 r = signs.x * texelFetch(row, ivec2(p.y, 0), 0).rg, s = signs.y * texelFetch(col, ivec2(p.x, 0), 0).rg;
  vec4 e = r.rrgg + s.rgrg, v = mantissa(texelFetch(a, p, 0), e), half_of_it = floor(0.5 * e);
  c = v * power(half_of_it) * power(e - half_of_it);
}
