// A panel: up to 30 columns of a matrix while they are eliminated. A row of the panel is one texel in each of eight layers, its
// groups: columns 4g .. 4g + 3 in group g; so that one fragment eliminates in a whole row, and all that a step needs besides is the same
// for all rows. Row i is at texel (i % 128, i / 128) and never changes its place. Group 7 ends with
//   the state  in its third lane: 0 active, s + 1 the pivot of step s, -1 out of the game (beyond the matrix, or the pivot of an
//              earlier panel)
// and row `height` of its texels holds the records, at x = k: (row, value) of the pivot of step k in the last two lanes; value 0 stands
// for "no pivot". From x = 32 on there are candidates for the next pivot.
//   PLU     the row of pivot k right of column k, a row of U, moves to the record, and leaves zeros: it changes no more, and no search
//           finds it while there are others
//   JORDAN  it stays
// The panel has two textures that take turns. A step of an LU factorization (PLU) renders the groups with columns that are still to
// come, and the last one; a step of Gauss-Jordan (JORDAN) renders all.
uniform sampler2DArray panel; // where the last group is
uniform vec2 panel_texel;
uniform ivec4 shape_of_panel; // columns, height, first column and row in the matrix
uniform ivec2 matrix;         // rows, columns
uniform float tolerance;      // pivots up to it count as zero
#define columns shape_of_panel.x
#define height shape_of_panel.y
#define first_column shape_of_panel.z
#define first_row shape_of_panel.w

// Lane j & 3. (An index that only a uniform tells costs NVIDIA more: a fifth of a step.)
float laneOf(vec4 v, int j) {
  vec2 pair = (j & 2) == 0 ? v.xy : v.zw;
  return (j & 1) == 0 ? pair.x : pair.y;
}

ivec2 placeOf(int row) { return ivec2(row & 127, row >> 7); }
ivec2 placeOfRecord(int k) { return ivec2(k, height); }

vec4 groupAt(int g, ivec2 place) { return textureLod(panel, vec3((vec2(place) + 0.5) * panel_texel, float(g)), 0.); }
float stateOf(int row) { return groupAt(7, placeOf(row)).z; }
vec2 recordOf(int k) { return groupAt(7, placeOfRecord(k)).zw; }

// Does the step with this pivot take the row? Gauss-Jordan leaves it where the pivot is none.
#ifdef JORDAN
bool takesRow(vec4 pivot, float row) { return row == pivot.x && pivot.y != 0.; }
#else
bool takesRow(vec4 pivot, float row) { return row == pivot.x; }
#endif
