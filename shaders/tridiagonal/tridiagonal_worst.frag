// The backward error max |r_i| / s_i / (max |x_i| + max |d_i| / s_i) of each system, from the strips of tridiagonal_check.frag. 2 where
// x is no solution at all, 4 where A or d was not finite. It is negative, and not 0, where rows are not clearly dominant, so that A may be
// singular. LARGEST: max |x_i| instead, 1e30 where x is no solution.   FOLDED: the three instead, of each row of the grid.
#include "include/pass.glsl"

uniform float strips;
out vec4 error;

#ifdef ALONG_X
uniform sampler2D parts;
uniform vec2 parts_texel;
void take(inout vec4 largest[4], float i) {
  vec4 v = textureLod(parts, vec2((i + 0.5) * parts_texel.x, uv.y), 0.);
  for (int k = 0; k < 4; k++)
    largest[k] = max(largest[k], vec4(v[k]));
}
#else
uniform sampler2DArray parts;
uniform vec2 parts_texel;
void take(inout vec4 largest[4], float i) {
  for (int k = 0; k < 4; k++)
    largest[k] = max(largest[k], textureLod(parts, vec3(uv.x, (i + 0.5) * parts_texel.y, float(k)), 0.));
}
#endif

void main() {
  vec4 largest[4];
  for (int k = 0; k < 4; k++)
    largest[k] = vec4(0.);
  for (float i = 0.; i < strips; i += 1.)
    take(largest, i);
#ifdef FOLDED
  error = vec4(largest[0].x, largest[1].x, largest[2].x, largest[3].x);
#elif defined LARGEST
  error = divZ(largest[0], largest[1] + largest[2]);
  error = mix(vec4(1e30), largest[1], lessThanEqual(error, vec4(1e-5)));
#else
  error = divZ(largest[0], largest[1] + largest[2]);
  error = mix(vec4(2.), error, lessThanEqual(error, vec4(1.)));
  error = mix(error, vec4(4.), equal(largest[2], vec4(2e38)));
  error = mix(error, -max(error, 1e-30), greaterThan(largest[3], vec4(0.999)));
#endif
}
