// The triangle (0, -1/2), (0, rows), (rows + 1/2, rows), in texels from a place on the diagonal on: it covers the texels on and below the
// diagonal and no others, because its edge runs half a texel beside their centres. What is too wide for the pass's rectangle is clipped.
#include "include/rect.glsl"

uniform vec4 corner; // outer corner of the texel on the diagonal, in the target; 1 or, turned by 180 degrees, -1; rows
uniform vec4 places; // size of the target; the first row's place in textures with rows of the triangle, their height
noperspective out vec2 at;    // this row's and this column's place in them, 0..1
noperspective out vec2 local; // column, row from the place on the diagonal on
flat out vec4 place;          // x: turn

void main() {
  float rows = corner.w;
  local = gl_VertexID == 0 ? vec2(0., -.5) : gl_VertexID == 1 ? vec2(0., rows) : vec2(rows + .5, rows);
  uv = (corner.xy + corner.z * local) / places.xy;
  at = (local.yx + places.z) / places.w;
  place = vec4(corner.z, 0., 0., 0.);
  txHandOn();
  gl_Position = vec4(txSpan[1].xy * (uv - txSpan[0].zw) / txSpan[0].xy - 1., 0., 1.);
}
