// y <- x resampled: the four lanes of a texel are four samples of the one-component texture x through the bilinear filter.
#include "include/layout.glsl"

uniform sampler2D x;
uniform vec2 cell; // 1 / (nx, ny) of y's grid
out vec4 y;

void main() {
  vec2 p = floor(gl_FragCoord.xy);
  vec4 s = (4. * p.x + vec4(0.5, 1.5, 2.5, 3.5)) * cell.x;
  float t = gl_FragCoord.y * cell.y;
  y = masked(vec4(textureLod(x, vec2(s.x, t), 0.).r, textureLod(x, vec2(s.y, t), 0.).r,
                  textureLod(x, vec2(s.z, t), 0.).r, textureLod(x, vec2(s.w, t), 0.).r));
}
