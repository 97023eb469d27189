// Work and nothing else: `rounds` multiply-adds for each number of a texel.
#include "include/pass.glsl"

uniform int rounds;
out vec4 z;

void main() {
  vec4 v = uv.xyxy;
  for (int i = 0; i < rounds; i++)
    v = v * 0.999 + 0.001;
  z = v;
}
