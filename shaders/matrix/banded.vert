// The rectangle, and numbers for all of its fragments: a software renderer has them at hand, but searches a buffer for each
// component of a uniform that a fragment reads, at half the cost of a fetch.
#include "include/rect.glsl"
#include "include/scalars.glsl"

uniform vec4 factors[FACTORS];
uniform vec2 combine; // ca, cb
uniform vec2 x_texel;
flat out vec4 factor[FACTORS];
flat out vec2 c, texel_size;
noperspective out vec2 quad; // counts blocks of 2 x 2 texels

void main() {
  coverRectangle();
  scalar = sampleScalars();
  factor = factors;
  c = combine;
  texel_size = x_texel;
  quad = 0.5 * uv / x_texel;
}
