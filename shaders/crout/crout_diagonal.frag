// Tiles of the diagonal (src/crout/tiles.c), 2 x 2 packed: S = L U by Crout's formulas, L and U in one tile. A tile is
// TILE^2 texels; each fragment factors it for itself, and keeps one of them.
#include "crout/crout_texels.glsl"

uniform sampler2D s;
flat in float first;
out vec4 result;

// Beyond the edge anything may be read: no entry depends on entries below or right of it.
vec4 at(ivec2 p) { return texelFetch(s, min(p, textureSize(s, 0) - 1), 0); }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy), corner = TILE * (p / TILE), inside = p - corner;
  vec4 d[TILE * TILE];
  for (int i = 0; i < TILE; i++)
    for (int j = 0; j < TILE; j++)
      d[i * TILE + j] = at(corner + ivec2(j, i));
  for (int k = 0; k < TILE; k++) {
    vec4 v = d[k * TILE + k];
    float u = v.g / v.r;
    d[k * TILE + k] = vec4(v.r, u, v.b, v.a - v.b * u);
    for (int i = k + 1; i < TILE; i++) {
      d[i * TILE + k] = overUpper(d[i * TILE + k], d[k * TILE + k]);
      d[k * TILE + i] = overLower(d[k * TILE + i], d[k * TILE + k]);
    }
    for (int i = k + 1; i < TILE; i++)
      for (int j = k + 1; j < TILE; j++)
        d[i * TILE + j] -= times(d[i * TILE + k], d[k * TILE + j]);
  }
  result = vec4(0.);
  for (int k = 0; k < TILE * TILE; k++)
    if (k == inside.y * TILE + inside.x)
      result = d[k];
}
