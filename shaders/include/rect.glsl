// Vertex side of a rectangle pass: one triangle twice as large as the viewport.
uniform vec4 txSpan; // uv = span.xy * corner + span.zw, corner 0..1 over the viewport
noperspective out vec2 uv;

// Corner i of the triangle; a geometry shader has no gl_VertexID.
#define coverViewport() placeCorner(gl_VertexID)
void placeCorner(int i) {
  vec2 corner = vec2(i == 1 ? 2. : 0., i == 2 ? 2. : 0.);
  uv = txSpan.xy * corner + txSpan.zw;
  gl_Position = vec4(2. * corner - 1., 0., 1.);
}
