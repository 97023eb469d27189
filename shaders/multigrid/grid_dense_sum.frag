// x <- the sum of the parts that grid_dense.frag has made.
#include "include/pass.glsl"

uniform sampler2D partial;
uniform ivec2 texels; // of x in a row; parts
out vec4 x;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int mine = p.y * texels.x + p.x;
  vec4 sum = vec4(0.);
  for (int part = 0; part < texels.y; part++)
    sum += texelFetch(partial, ivec2(mine, part), 0);
  x = sum;
}
