// Partial sums of the inverse times b on a small grid: row p of the target has what the texels [PART p, PART (p + 1)) of b add to x. Column k of
// `inverted` is row k of the texture, four rows of the inverse to a texel.
#include "include/pass.glsl"

uniform sampler2D b, inverted;
uniform ivec3 texels; // of b: in a row, in all, PART
out vec4 x;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int first = texels.z * p.y, end = min(first + texels.z, texels.y);
  vec4 sum = vec4(0.);
  for (int t = first; t < end; t++) {
    vec4 v = texelFetch(b, ivec2(t % texels.x, t / texels.x), 0);
    vec4 low = v.x * texelFetch(inverted, ivec2(p.x, 4 * t), 0) + v.y * texelFetch(inverted, ivec2(p.x, 4 * t + 1), 0);
    sum += low + (v.z * texelFetch(inverted, ivec2(p.x, 4 * t + 2), 0) + v.w * texelFetch(inverted, ivec2(p.x, 4 * t + 3), 0));
  }
  x = sum;
}
