// Vertex side of a rectangle pass: one triangle with legs twice as long as the rectangle's sides.
uniform vec4 txSpan;  // uv = span.xy * corner + span.zw, corner 0..1 over the rectangle
uniform vec2 txReach; // the rectangle's sides in normalized device coordinates
noperspective out vec2 uv;

void txHandOn(); // numbers for all fragments (src/gl/flat.c)

// Corner i of the triangle; a geometry shader has no gl_VertexID.
#define coverRectangle() placeCorner(gl_VertexID)
void placeCorner(int i) {
  vec2 corner = vec2(i == 1 ? 2. : 0., i == 2 ? 2. : 0.);
  uv = txSpan.xy * corner + txSpan.zw;
  txHandOn();
  gl_Position = vec4(txReach * corner - 1., 0., 1.);
}
