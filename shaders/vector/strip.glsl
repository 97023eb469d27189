// The texels that a fragment joins, a strip of them. Baked in: STRIP, how many, and one of
//   AXIS     they lie along x or y, one target extent (stride) apart, so that neighbouring fragments read neighbouring texels
//   BLOCKS   the eight fragments of a block of 4 x 2 read eight texels side by side, then the next eight, to the end of the row and on in
//            the next: processors, which shade such a block at once, read memory from its beginning to its end. The target has blocks.x
//            such blocks in a row, and blocks.y steps of eight go through a row of the sources
uniform vec2 span;    // in the sources' texture coordinates, as stride: of the target; with BLOCKS of a row's steps, and to the next row
uniform float stride; // to a strip's next texel

#ifdef BLOCKS
uniform ivec2 blocks;
vec2 placeInStrip(int k) {
  ivec2 fragment = ivec2(gl_FragCoord.xy), block = fragment / ivec2(4, 2), lane = fragment - block * ivec2(4, 2);
  int steps = STRIP * (block.x + blocks.x * block.y) + k, row = steps / blocks.y;
  return (vec2(8 * (steps - row * blocks.y) + lane.x + 4 * lane.y, row) + 0.5) / size;
}
#define ADVANCE(p)                                                                                                     \
  p.x += stride;                                                                                                       \
  p = p.x < span.x ? p : vec2(p.x - span.x, p.y + span.y)
#else
vec2 placeInStrip(int k) {
  vec2 p = uv * span;
  p.AXIS += float(k) * stride;
  return p;
}
#define ADVANCE(p) p.AXIS += stride
#endif
