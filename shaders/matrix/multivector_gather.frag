// multivector <- up to four vectors, interleaved
#include "include/pass.glsl"

uniform sampler2D x0, x1, x2, x3;
uniform float span; // the multivector's extent in the vectors' texture coordinates
out vec4 multivector;

void main() {
  vec2 p = vec2(span * uv.x, uv.y);
  int lane = int(gl_FragCoord.x) & 3;
  multivector = vec4(textureLod(x0, p, 0.)[lane], 0., 0., 0.);
#if COUNT > 1
  multivector.y = textureLod(x1, p, 0.)[lane];
#endif
#if COUNT > 2
  multivector.z = textureLod(x2, p, 0.)[lane];
#endif
#if COUNT > 3
  multivector.w = textureLod(x3, p, 0.)[lane];
#endif
}
