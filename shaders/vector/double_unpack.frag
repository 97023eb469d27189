// One number to a texel: (hi, lo) of lane i % 4 of texel (i / 4, j), at texel (i, j).
#include "include/pass.glsl"

uniform sampler2D x, x_low;
uniform float span; // the target's extent in x's texture coordinates
out vec2 y;

void main() {
  vec2 p = vec2(span * uv.x, uv.y);
  int lane = int(gl_FragCoord.x) & 3;
  y = vec2(textureLod(x, p, 0.)[lane], textureLod(x_low, p, 0.)[lane]);
}
