// Sums of magnitudes: of the rows of a 2 x 2 packed matrix, or with COLUMNS of its columns, in parts of `part` texels: texel (i, k) (with
// COLUMNS (k, i)) of the target holds those of rows (columns) 2k and 2k + 1 in part i, and zeros. A second pass sums the parts.
uniform sampler2D a;
uniform vec2 a_texel;
uniform int part;
out vec4 sums;

// Of the i-th texel along the sum.
vec2 pair(int i) {
#ifdef COLUMNS
  vec4 v = abs(textureLod(a, (vec2(gl_FragCoord.x, float(i) + 0.5)) * a_texel, 0.));
  return v.xy + v.zw;
#else
  vec4 v = abs(textureLod(a, (vec2(float(i) + 0.5, gl_FragCoord.y)) * a_texel, 0.));
  return v.xz + v.yw;
#endif
}

void main() {
#ifdef COLUMNS
  int number = int(gl_FragCoord.y), n = textureSize(a, 0).y;
#else
  int number = int(gl_FragCoord.x), n = textureSize(a, 0).x;
#endif
  vec2 total = vec2(0.);
  for (int i = number * part; i < min((number + 1) * part, n); i++)
    total += pair(i);
#ifdef COLUMNS
  sums = vec4(total, 0., 0.);
#else
  sums = vec4(total.x, 0., total.y, 0.);
#endif
}
