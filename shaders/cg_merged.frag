// One step of conjugate gradients in a single pass (predict and recompute: one reduction an iteration):
//   x <- x + alpha p,  r <- r - alpha q,  p <- r + beta p
#include "include/pass.glsl"

uniform sampler2D x, r, p, q;
layout(location = 0) out vec4 x_next;
layout(location = 1) out vec4 r_next;
layout(location = 2) out vec4 p_next;

void main() {
  vec4 direction = texel(p);
  x_next = texel(x);
  r_next = texel(r);
  p_next = direction;
  if (scalar.z > 0.) { // the same for all fragments; a select, because 0 * NaN would not keep x
    x_next += scalar.x * direction;
    r_next -= scalar.x * texel(q);
    p_next = r_next + scalar.y * direction;
  }
}
