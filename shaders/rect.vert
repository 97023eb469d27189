// The shape of nearly every pass: one triangle that covers the viewport.
//   uv      0..1 over the whole target, interpolated by the rasterizer: exact texel centres
//   scalar  the pass's clFloats (missing ones are 1)
#include "include/scalars.glsl"

uniform vec4 txSpan; // uv = span.xy * corner + span.zw, corner 0..1 over the viewport
noperspective out vec2 uv;

void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 2. : 0., gl_VertexID == 2 ? 2. : 0.);
  uv = txSpan.xy * corner + txSpan.zw;
  scalar = sampleScalars();
  gl_Position = vec4(2. * corner - 1., 0., 1.);
}
