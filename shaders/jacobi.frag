// x <- x + damping D^-1 r, with r = b - A x
#include "include/pass.glsl"

uniform sampler2D x, r, inverse;
uniform float damping;
out vec4 x_next;

void main() {
  x_next = texel(x);
  if (scalar.z > 0.)
    x_next += damping * texel(inverse) * texel(r);
}
