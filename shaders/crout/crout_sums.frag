// The sums of a sweep of tiles (src/crout/tiles.c), 2 x 2 packed: S <- R - sum over K of Z_IK Z_KJ, K from the tile where
// this one's sums begin to min(I, J). Products of tiles one of which is zero are left out.
uniform sampler2D r, z, fill;
flat in float first;  // texel where the sums begin: the first one of a tile
out vec4 sums;

bool isFilled(float column, float row) { return texelFetch(fill, ivec2(int(column), int(row)), 0).r != 0.; }

void main() {
  vec2 p = floor(gl_FragCoord.xy), here = floor(p / float(TILE));
  float end = min(here.x, here.y);
  vec4 sum = vec4(0.);
  for (float t = floor(first / float(TILE)); t < end; t += 1.)
    if (isFilled(t, here.y) && isFilled(here.x, t)) {
      int k = int(t) * TILE;
      for (int i = 0; i < TILE; i++) {
        vec4 left = texelFetch(z, ivec2(k + i, int(p.y)), 0), above = texelFetch(z, ivec2(int(p.x), k + i), 0);
        sum += left.rrbb * above.rgrg + left.ggaa * above.baba;
      }
    }
  sums = texelFetch(r, ivec2(p), 0) - sum;
}
