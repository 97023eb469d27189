// z <- a alpha x + b beta y
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D x, y;
uniform vec2 factor; // a, b
out vec4 z;

void main() {
  vec2 f = factor * scalar.xy;
  z = f.x * texel(x) + f.y * texel(y);
  if (!finite(f))
    z = masked(z);
}
