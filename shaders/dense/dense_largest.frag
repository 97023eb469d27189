// The largest magnitudes of the upper triangle of a 2 x 2 packed matrix, with its diagonal, and of what is not finite below it: of 32 rows
// of texels in each column of texels, lane by lane. Magnitudes are compared by their bits, in which Inf and then NaN are the largest.
uniform sampler2D a;
out vec4 largest;

const int infinite = 0x7f800000;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec4 best = ivec4(0);
  for (int y = 32 * p.y; y < min(32 * p.y + 32, textureSize(a, 0).y); y++) {
    ivec4 v = floatBitsToInt(abs(texelFetch(a, ivec2(p.x, y), 0)));
    bvec4 above = bvec4(y <= p.x, y <= p.x, y < p.x, y <= p.x), bad = greaterThanEqual(v, ivec4(infinite));
    best = max(best, v * ivec4(above) + v * ivec4(bad) * (1 - ivec4(above)));
  }
  largest = intBitsToFloat(best);
}
