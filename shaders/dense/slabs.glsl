// The product by slabs: op(A) lies in rectangles of texels, one for each inner index k, of which a texel holds four rows. Rectangle k is
// column k % STRIP and row k / STRIP of them.
#define STRIP 128

uniform ivec2 slab; // width and height of a rectangle; the width is a power of two
