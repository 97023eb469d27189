// Row i of C <- row order_i of A, 2 x 2 packed; a row of zeros where order_i < 0. Texel k of `order` holds those of rows 2k, 2k + 1.
// With COLUMNS the same for columns. Blocks of so many texels across have orders of their own, in rows of `order`.
uniform sampler2D a, order;
uniform ivec2 block; // texels, number of the last one
out vec4 c;

// The two entries that a row (column) of A has in this column (row) of texels.
vec2 pairFrom(float source, ivec2 p) {
  int n = int(max(source, 0.));
#ifdef COLUMNS
  vec4 v = texelFetch(a, ivec2(n / 2, p.y), 0);
  vec2 pair = n % 2 == 0 ? v.rb : v.ga;
#else
  vec4 v = texelFetch(a, ivec2(p.x, n / 2), 0);
  vec2 pair = n % 2 == 0 ? v.rg : v.ba;
#endif
  return source < 0. ? vec2(0.) : pair;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
#ifdef COLUMNS
  vec2 source = texelFetch(order, ivec2(p.x, min(p.y / block.x, block.y)), 0).rg;
  vec2 left = pairFrom(source.x, p), right = pairFrom(source.y, p);
  c = vec4(left.x, right.x, left.y, right.y);
#else
  vec2 source = texelFetch(order, ivec2(p.y, min(p.x / block.x, block.y)), 0).rg;
  c = vec4(pairFrom(source.x, p), pairFrom(source.y, p));
#endif
}
