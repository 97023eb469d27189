// The product by slabs: op(A) lies in rectangles of texels, one for each inner index k, of which a texel holds four rows. Rectangle k is
// column k % STRIP and row k / STRIP of them.
#define STRIP 128

uniform ivec2 slab; // width and height of a rectangle; the width is a power of two

// Texel (p.y, p.x) of the product, of its sums in four rows and eight columns.
vec4 texelOfSums(sampler2DArray columns, ivec2 p) {
  int four = p.y >> 1;
  ivec3 at = ivec3((p.x >> 2) * slab.x + (four & (slab.x - 1)), four / slab.x, 2 * (p.x & 3));
  vec4 one = texelFetch(columns, at, 0), two = texelFetch(columns, at + ivec3(0, 0, 1), 0);
  return (p.y & 1) == 1 ? vec4(one.b, two.b, one.a, two.a) : vec4(one.r, two.r, one.g, two.g);
}
