// Arithmetic as the device does it: z <- op(x, y) elementwise; what is asked is decided on the CPU.
#include "include/pass.glsl"

uniform sampler2D x, y;
#ifndef FUSED
uniform int operation;
#endif
out vec4 z;

#ifdef FUSED // does fma round once? z <- a a + b
void main() { z = fma(texel(x), texel(x), texel(y)); }
#else
void main() {
  vec4 a = texel(x), b = texel(y);
  if (operation == 0)
    z = a + b;
  else if (operation == 1)
    z = a - b;
  else if (operation == 2)
    z = a * b;
  else if (operation == 3)
    z = a / b;
  else if (operation == 4)
    z = a;
  else if (operation == 5) // NaN as IEEE 754 compares it: 1 where it is one
    z = mix(vec4(0.), vec4(1.), notEqual(a, a));
  else { // two-sum: the exact rounding error of a + b
    vec4 s = a + b, t = s - a;
    z = (a - (s - t)) + (b - t);
  }
}
#endif
