// Rows of op(A) D, along x: texel (k - rows.w, q) <- rows 2q, 2q + 1 and columns 2k, 2k + 1 of it, or (SINGLE) entry (q, k). TRANSPOSED: op(A) = A^T.
// SCALED: with D. REVERSED: the last row comes first, rows of a block too.
uniform sampler2D a;
uniform ivec4 rows; // the first one, how many there are, texels along x that hold something, the first k
#ifdef SCALED
uniform sampler2D d;
uniform int row_of_d; // its elements in a row of texels
#endif
out vec4 result;

vec4 blockAt(ivec2 p) {
#ifdef TRANSPOSED
  return texelFetch(a, p.yx, 0).rbga;
#else
  return texelFetch(a, p, 0);
#endif
}

#ifdef SCALED
// Elements i and i + 1, i even.
vec2 pairOfD(int i) {
  int y = i / row_of_d, x = i - y * row_of_d;
  vec4 v = texelFetch(d, ivec2(x / 4, y), 0);
  return (x & 2) == 0 ? v.xy : v.zw;
}
#endif

vec4 scaledAt(ivec2 p) {
  vec4 v = blockAt(p);
#ifdef SCALED
  v *= pairOfD(2 * p.x).xyxy;
#endif
  return v;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
#ifdef REVERSED
  int q = rows.x + rows.y - 1 - p.y;
#else
  int q = rows.x + p.y;
#endif
  result = vec4(0.);
  if (p.x < rows.z) {
    p.x += rows.w;
#ifdef SINGLE
    vec4 v = scaledAt(ivec2(p.x / 2, q / 2));
    vec2 row = (q & 1) == 0 ? v.rg : v.ba;
    result.r = (p.x & 1) == 0 ? row.x : row.y;
#else
    result = scaledAt(ivec2(p.x, q));
#ifdef REVERSED
    result = result.barg;
#endif
#endif
  }
}
