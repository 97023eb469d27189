// Where the entries of a clDense are: a texel of the target holds ROWS x COLS of them, lane by lane along the rows. Lanes outside
// of the matrix always hold zero.
#ifndef ROWS
#define ROWS 2
#define COLS 2
#endif
#define LANES (ROWS * COLS)

uniform vec2 shape; // rows, columns of the target

// (row, column) of a lane of this texel
ivec2 entryOf(int lane) {
  ivec2 p = ivec2(gl_FragCoord.xy);
  return ivec2(ROWS * p.y + lane / COLS, COLS * p.x + lane % COLS);
}

bool isInside(ivec2 entry) { return all(lessThan(entry, ivec2(shape))); }

// 2 x 2 only: v with zeros outside.
vec4 maskedBlock(vec4 v) {
  vec2 left = shape.yx - 2. * floor(gl_FragCoord.xy); // columns, rows from here on
  bvec4 column = lessThan(vec4(0., 1., 0., 1.), vec4(left.x)), row = lessThan(vec4(0., 0., 1., 1.), vec4(left.y));
  return mix(vec4(0.), v, bvec4(ivec4(column) * ivec4(row)));
}
