// BiCGStab, second half: x <- x + alpha y + omega z,  r <- s - omega t,  p <- r + beta (p - omega v)
#include "include/pass.glsl"

uniform sampler2D x, y, z, s, t, p, v, r;
layout(location = 0) out vec4 x_next;
layout(location = 1) out vec4 r_next;
layout(location = 2) out vec4 p_next;

void main() {
  x_next = texel(x);
  r_next = texel(r);
  p_next = texel(p);
  if (scalar.z > 0.) {
    x_next += scalar.x * texel(y) + scalar.y * texel(z);
    r_next = texel(s) - scalar.y * texel(t);
    p_next = r_next + scalar.w * (p_next - scalar.y * texel(v));
  }
}
