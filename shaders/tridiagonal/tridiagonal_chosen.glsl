// Single rows of chosen systems. Baked in: what tridiagonal_bands.glsl has, ALONG_X.
#include "include/pass.glsl"
#include "tridiagonal/tridiagonal_bands.glsl"

uniform float rows;     // of a system
uniform sampler2D list; // the systems' numbers
uniform vec2 list_texel;

float listed(float column) { return textureLod(list, vec2((column + 0.5) * list_texel.x, 0.5), 0.).x; }

// a, b, c, d of row i of a system
vec4 rowOf(float system, float i) {
#ifdef ALONG_X
  float across = i, y = system;
#else
  float across = system, y = i;
#endif
  float q = floor(0.25 * across);
  int lane = int(across - 4. * q);
  vec2 p = (vec2(q, y) + 0.5) * rhs_texel;
  return vec4(SUB(p)[lane], MAIN(p)[lane], SUPER(p)[lane], RHS(p)[lane]);
}

// Sherman and Morrison's free number, away from zero and of the sign that adds to the diagonal
float gammaOf(vec4 first) {
  float size = max(abs(first.x), abs(first.y));
  return first.y > 0. ? -size : size == 0. ? 1. : size;
}
