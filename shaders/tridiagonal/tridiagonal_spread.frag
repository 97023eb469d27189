// Four grids (sub, main, super, rhs) from one whose texels are a row of them each.
#include "include/border.glsl"
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D texels; // zero outside
uniform vec2 texels_texel;
layout(location = 0) out vec4 band[4];

void main() {
  vec2 at = floor(gl_FragCoord.xy) * vec2(4., 1.) + 0.5;
  mat4 rows;
  for (int i = 0; i < 4; i++)
    rows[i] = bordered(texels, (at + vec2(float(i), 0.)) * texels_texel);
  mat4 columns = transpose(rows);
  for (int i = 0; i < 4; i++)
    band[i] = masked(columns[i]);
}
