// The product's coordinates come from the rasterizer: where this fragment's row of op(A) and column of op(B) begin in the operands.
#include "include/rect.glsl"
#include "include/scalars.glsl"

uniform vec4 target;           // its width and height; zw: the rectangle's corner in it
uniform vec4 a_place, b_place; // in texture coordinates: xy: the first texel, zw: one row (column) on
noperspective out vec4 at;

void main() {
  coverRectangle();
  scalar = txSampleScalars();
  vec2 p = uv * target.xy - target.zw;
  at = vec4(a_place.xy + p.y * a_place.zw, b_place.xy + p.x * b_place.zw);
}
