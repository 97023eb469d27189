// Vertex side of a rectangle pass: one triangle with legs twice as long as the rectangle's sides.
uniform vec4 txSpan[2]; // uv = [0].xy * corner + [0].zw, corner 0..1 over the rectangle; its sides, in device coordinates
noperspective out vec2 uv;

void txHandOn(); // numbers for all fragments (src/gl/flat.c)

// Corner i of the triangle; a geometry shader has no gl_VertexID.
#define coverRectangle() txPlaceCorner(gl_VertexID)
void txPlaceCorner(int i) {
  vec2 corner = vec2(i == 1 ? 2. : 0., i == 2 ? 2. : 0.);
  uv = txSpan[0].xy * corner + txSpan[0].zw;
  txHandOn();
  gl_Position = vec4(txSpan[1].xy * corner - 1., 0., 1.);
}
