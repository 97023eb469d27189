// The most that a pass can fetch: STRIP texels added up for every one written; neighbouring fragments read neighbouring
// texels.
#include "include/pass.glsl"

uniform sampler2D x;
uniform vec2 span;    // the target's extent in x's texture coordinates
uniform float stride; // between the texels of a strip, downwards
out vec4 y;

void main() {
  vec2 p = uv * span;
  vec4 sum = vec4(0.);
  for (int g = 0; g < STRIP; g += 8) { // as the reductions do
    vec4 group = vec4(0.);
    for (int k = 0; k < 8; k++) {
      group += textureLod(x, p, 0.);
      p.y += stride;
    }
    sum += group;
  }
  y = sum;
}
