// Sums of magnitudes: of the rows of a 2 x 2 packed matrix, or with COLUMNS of its columns. Texel k of the target, a row or a
// column of texels, holds the sums of rows (columns) 2k and 2k + 1, and zeros.
uniform sampler2D a;
out vec4 sums;

vec2 pair(int k) {
  ivec2 p = ivec2(gl_FragCoord.xy);
#ifdef COLUMNS
  vec4 v = abs(texelFetch(a, ivec2(p.x, k), 0));
  return v.xy + v.zw;
#else
  vec4 v = abs(texelFetch(a, ivec2(k, p.y), 0));
  return v.xz + v.yw;
#endif
}

// In groups of 32, so that rounding errors grow with 32 + n / 64.
void main() {
#ifdef COLUMNS
  int n = textureSize(a, 0).y;
#else
  int n = textureSize(a, 0).x;
#endif
  vec2 total = vec2(0.);
  for (int k = 0; k < n; k += 32) {
    vec2 group = vec2(0.);
    for (int i = k; i < min(k + 32, n); i++)
      group += pair(i);
    total += group;
  }
  sums = vec4(total, 0., 0.);
}
