// The product's coordinates come from the rasterizer: where this fragment's row of op(A) and column of op(B) lie in the packed
// operands (both run along x with the inner index).
#include "include/rect.glsl"
#include "include/scalars.glsl"

uniform vec4 place; // xy: scale from uv, zw: offset
noperspective out vec2 at;

void main() {
  coverRectangle();
  scalar = txSampleScalars();
  at = uv * place.xy + place.zw;
}
