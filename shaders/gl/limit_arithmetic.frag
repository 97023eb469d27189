// The most that a pass can compute: STEPS times CHAINS independent multiply-adds of four components.
#include "include/pass.glsl"

uniform float factor, term;
out vec4 y;

void main() {
  vec4 a[CHAINS];
  for (int k = 0; k < CHAINS; k++)
    a[k] = vec4(uv, uv) * float(k);
  for (int i = 0; i < STEPS; i++)
    for (int k = 0; k < CHAINS; k++)
      a[k] = a[k] * factor + term;
  y = a[0];
  for (int k = 1; k < CHAINS; k++)
    y += a[k];
}
