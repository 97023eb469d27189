// The upper triangle with its diagonal times a factor, the rest as it is.
#include "dense/dense.glsl"

uniform sampler2D a;
uniform float factor;
out vec4 result;

void main() {
  result = texelFetch(a, ivec2(gl_FragCoord.xy), 0);
  for (int lane = 0; lane < LANES; lane++) {
    ivec2 e = entryOf(lane);
    if (e.x <= e.y)
      result[lane] *= factor;
  }
}
