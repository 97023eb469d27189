// y <- a alpha x
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D x;
uniform float factor; // a
out vec4 y;

void main() {
  float f = factor * scalar.x;
  y = f * texel(x);
  if (!finite(vec2(f)))
    y = masked(y);
}
