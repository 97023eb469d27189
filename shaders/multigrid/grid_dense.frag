// x <- inverse b on a small grid: column k of `inverse` is row k of the texture, four rows of the inverse to a texel.
#include "include/pass.glsl"

uniform sampler2D b, inverse;
uniform ivec2 texels; // of b
out vec4 x;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int mine = p.y * texels.x + p.x, k = 0;
  vec4 sum = vec4(0.);
  for (int j = 0; j < texels.y; j++)
    for (int i = 0; i < texels.x; i++) {
      vec4 v = texelFetch(b, ivec2(i, j), 0);
      vec4 low = v.x * texelFetch(inverse, ivec2(mine, k), 0) + v.y * texelFetch(inverse, ivec2(mine, k + 1), 0);
      sum += low + (v.z * texelFetch(inverse, ivec2(mine, k + 2), 0) + v.w * texelFetch(inverse, ivec2(mine, k + 3), 0));
      k += 4;
    }
  x = sum;
}
