// y <- s + cb b, where s has one element to a texel: what a layer of points adds.
#include "include/combine.glsl"
#include "include/layout.glsl"

uniform sampler2D s;
out vec4 y;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  bvec4 valid = inside();
  vec4 sum = vec4(0.);
  for (int lane = 0; lane < 4; lane++)
    if (valid[lane])
      sum[lane] = texelFetch(s, ivec2(4 * p.x + lane, p.y), 0).r;
  y = combined(sum);
}
