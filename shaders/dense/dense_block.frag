// C[block] <- op(A)[from ..], any packings; outside of the block C keeps its values (KEEP) or there is nothing.
#include "dense/dense.glsl"

uniform sampler2D a, c;
uniform ivec4 block; // first row and column in C, rows, columns
uniform ivec2 from;  // first row and column of the block in A, as it is stored
out vec4 result;

// A holds A_ROWS x A_COLS entries in a texel.
float entryOfA(ivec2 e) {
  return texelFetch(a, ivec2(e.y / A_COLS, e.x / A_ROWS), 0)[e.x % A_ROWS * A_COLS + e.y % A_COLS];
}

void main() {
#ifdef KEEP
  result = texelFetch(c, ivec2(gl_FragCoord.xy), 0);
#else
  result = vec4(0.);
#endif
  for (int lane = 0; lane < LANES; lane++) {
    ivec2 e = entryOf(lane) - block.xy;
    if (all(greaterThanEqual(e, ivec2(0))) && all(lessThan(e, block.zw)))
#ifdef TRANSPOSED
      result[lane] = entryOfA(from + e.yx);
#else
      result[lane] = entryOfA(from + e);
#endif
  }
}
