// Triangles on and below the diagonal of a lower triangle, several in a pass: (0, -1/2), (0, rows), (rows + 1/2, rows), in texels from a place on
// the diagonal on. The edge runs half a texel beside the diagonal, so that it covers the texels on and below it and no others. With
// WIDE and HIGH it is the same in blocks of that many texels: (0, -1), (0, rows), ((rows + 1) / 2, rows).
#define MOST 8
uniform vec4 triangles[2 * MOST]; // outer corner of the first texel in the target, 1 or, turned by 180 degrees, -1, rows; first texel in a
                                  // row of scratch, first row in S
uniform vec4 extent;              // of the target; a texel of S, in texture coordinates
noperspective out vec2 local;     // column, row from the first texel on
noperspective out vec2 at;        // this row's and this column's place in S, 0..1; of a block: its first one's
flat out vec4 place;              // turn; first texel in a row of scratch; a texel of S

void txHandOn(); // numbers for all fragments (src/gl/flat.c)

#ifdef PRODUCT
const vec2 size = vec2(WIDE, HIGH);
const float above = 1., slope = 2.;
#else
const vec2 size = vec2(1.);
const float above = .5, slope = 1.;
#endif

void main() {
  vec4 t = triangles[2 * (gl_VertexID / 3)], s = triangles[2 * (gl_VertexID / 3) + 1];
  int corner = gl_VertexID % 3;
  local = corner == 0 ? vec2(0., -above) : corner == 1 ? vec2(0., t.w) : vec2((t.w + above) / slope, t.w);
  at = (size.yx * (local.yx - .5) + .5 + s.y) * extent.w;
  place = vec4(t.z, s.x, extent.zw);
  txHandOn();
  gl_Position = vec4(2. * (t.xy + t.z * local) / extent.xy - 1., 0., 1.);
}
