// Where texels of a lower triangle are (src/triangle/lower.h). SINGLE: one entry a texel, FOLDED: packed.
uniform ivec2 triangle; // texels of its side; entries

// Texel (i, j), 0 <= j <= i < side.
vec4 texelOfLower(sampler2D lower, ivec2 e) {
#ifdef FOLDED
  int m = triangle.x, odd = m & 1;
  if (e.y < (m + 1) / 2)
    return texelFetch(lower, ivec2(e.y, e.x + 1 - odd), 0);
#ifdef SINGLE
  return texelFetch(lower, ivec2(m - 1 + odd - e.y, m - 1 - e.x), 0);
#else
  return texelFetch(lower, ivec2(m - 1 + odd - e.y, m - 1 - e.x), 0).abgr;
#endif
#else
  return texelFetch(lower, e.yx, 0);
#endif
}

// Entry (i, j), j <= i.
float entryOfLower(sampler2D lower, ivec2 e) {
#ifdef SINGLE
  return texelOfLower(lower, e).r;
#else
  vec4 v = texelOfLower(lower, e / 2);
  vec2 row = (e.x & 1) == 0 ? v.rg : v.ba;
  return (e.y & 1) == 0 ? row.x : row.y;
#endif
}
