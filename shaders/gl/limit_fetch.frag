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
  for (int k = 0; k < STRIP; k++)
    sum += textureLod(x, p + vec2(0., float(k) * stride), 0.);
  y = sum;
}
