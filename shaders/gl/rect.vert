// The shape of nearly every pass: one triangle that covers the rectangle.
//   uv      0..1 over the whole target, interpolated by the rasterizer: exact texel centres
//   scalar  the pass's clFloats (missing ones are 1)
#include "include/rect.glsl"
#include "include/scalars.glsl"

void main() {
  coverRectangle();
  scalar = txSampleScalars();
}
