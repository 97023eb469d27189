// b - (1 - c.x lap + c.y lap lap) u of one field, with its values beyond the edges. FOURTH: with c.y
#include "sim/evolution.glsl"
uniform sampler2D b_u;
uniform vec2 c; // over h^2, h^4
vec4 bend(int i, int j) { return (u(i - 1, j) + u(i + 1, j)) + (u(i, j - 1) + u(i, j + 1)) - 4. * u(i, j); }
vec4 kernel() {
  vec4 second = bend(0, 0), rest = texel(b_u) - u(0, 0) + c.x * second;
#ifdef FOURTH
  rest -= c.y * ((bend(-1, 0) + bend(1, 0)) + (bend(0, -1) + bend(0, 1)) - 4. * second);
#endif
  return rest;
}
