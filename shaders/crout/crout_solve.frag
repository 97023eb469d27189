// The tiles of a sweep (src/crout/tiles.c), 2 x 2 packed, from their sums S and the factored tile D = L U of the diagonal in
// their row or column:
//     a tile of the diagonal       Z = D
//     a tile below it              Z U = S     row by row
//     a tile above it              L Z = S     column by column
// A fragment solves for its own row or column of texels up to the one that it keeps.
#include "crout/crout_texels.glsl"
#include "dense/dense.glsl"

uniform sampler2D s, d;
flat in float first;
out vec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy), tile = TILE * (p / TILE), inside = p - tile;
  vec4 x[TILE], v = vec4(0.);
  if (tile.x == tile.y) {
    v = texelFetch(d, p, 0);
  } else if (tile.y > tile.x) {
    for (int j = 0; j < TILE; j++) {
      x[j] = texelFetch(s, ivec2(tile.x + j, p.y), 0);
      for (int k = 0; k < j; k++)
        x[j] -= times(x[k], texelFetch(d, tile.x + ivec2(j, k), 0));
      x[j] = overUpper(x[j], texelFetch(d, tile.x + ivec2(j, j), 0));
      if (j == inside.x)
        v = x[j];
    }
  } else {
    for (int i = 0; i < TILE; i++) {
      x[i] = texelFetch(s, ivec2(p.x, tile.y + i), 0);
      for (int k = 0; k < i; k++)
        x[i] -= times(texelFetch(d, tile.y + ivec2(k, i), 0), x[k]);
      x[i] = overLower(x[i], texelFetch(d, tile.y + ivec2(i, i), 0));
      if (i == inside.y)
        v = x[i];
    }
  }
  result = maskedBlock(v);
}
