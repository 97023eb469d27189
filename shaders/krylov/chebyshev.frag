// A step of Chebyshev's iteration: d <- c_0 d + c_1 D^-1 r,  x <- x + d
//   FIRST  there is no d yet
//   ZERO   x is zero, and r is b
#include "include/pass.glsl"

uniform sampler2D x, d, r, inverted; // inverted: D^-1
uniform vec2 c;
layout(location = 0) out vec4 x_next;
layout(location = 1) out vec4 d_next;

void main() {
  d_next = c.y * texel(inverted) * texel(r);
#ifndef FIRST
  d_next += c.x * texel(d);
#endif
#ifdef ZERO
  x_next = d_next;
#else
  x_next = texel(x) + d_next;
#endif
}
