// Preconditioned conjugate gradients, first half: x <- x + alpha p,  r <- r - alpha q
#include "include/pass.glsl"

uniform sampler2D x, r, p, q;
layout(location = 0) out vec4 x_next;
layout(location = 1) out vec4 r_next;

void main() {
  x_next = texel(x);
  r_next = texel(r);
  if (scalar.z > 0.) {
    x_next += scalar.x * texel(p);
    r_next -= scalar.x * texel(q);
  }
}
