// b - (1 - c lap) u of one field, with its values beyond the edges.
#include "sim/evolution.glsl"
uniform sampler2D b_u;
uniform float c; // over h^2
vec4 kernel() {
  vec4 here = u(0, 0);
  return texel(b_u) - here + c * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) - 4. * here);
}
