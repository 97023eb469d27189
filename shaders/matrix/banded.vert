// The rectangle; the factors of constant diagonals, as other uniforms are handed on (src/gl/flat.c); and blocks of fragments.
#include "include/rect.glsl"
#include "include/scalars.glsl"

uniform vec4 factors[FACTORS];
uniform vec2 x_texel;
flat out vec4 factor[FACTORS];
noperspective out vec2 quad; // counts blocks of 2 x 2 texels

void main() {
  coverRectangle();
  scalar = txSampleScalars();
  factor = factors;
  quad = 0.5 * uv / x_texel;
}
