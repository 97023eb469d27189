// Zeros for the chosen systems of x; `columns` is 0 for those, -1 for the others, a row of 1024 systems to a row of texels.
#include "include/pass.glsl"

uniform sampler2D columns, old;
uniform vec2 columns_texel;
out vec4 x;

void main() {
  vec2 at = floor(gl_FragCoord.xy);
  x = texel(old);
  for (int lane = 0; lane < 4; lane++) {
#ifdef ALONG_X
    float system = at.y;
#else
    float system = 4. * at.x + float(lane);
#endif
    vec2 cell = vec2(mod(system, 1024.), floor(system * (1. / 1024.)));
    if (textureLod(columns, (cell + 0.5) * columns_texel, 0.).x == 0.)
      x[lane] = 0.;
  }
}
