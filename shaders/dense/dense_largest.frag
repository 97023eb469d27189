// The largest magnitudes of the upper triangle of a 2 x 2 packed matrix, with its diagonal: of 32 rows of texels in each column of texels,
// lane by lane.
uniform sampler2D a;
out vec4 largest;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int end = min(min(32 * p.y + 32, textureSize(a, 0).y), p.x + 1);
  largest = vec4(0.);
  for (int y = 32 * p.y; y < end; y++) {
    vec4 v = abs(texelFetch(a, ivec2(p.x, y), 0));
    largest = max(largest, y < p.x ? v : v * vec4(1., 1., 0., 1.));
  }
}
