// x <- x + damping z, where z is M r; with DIAGONAL z is r and is multiplied by D^-1 here
#include "include/pass.glsl"

uniform sampler2D x, z, inverted;
uniform float damping;
out vec4 x_next;

void main() {
  vec4 correction = texel(z);
#ifdef DIAGONAL
  correction *= texel(inverted);
#endif
  x_next = texel(x);
  if (scalar.z > 0.)
    x_next += damping * correction;
}
