// A panel: some columns of a matrix while they are eliminated. Texel (j, y) holds rows 4y .. 4y + 3 of column j, so that a step
// on one column touches little. Rows never change places in it. Two more things travel along:
//   column `columns`  the state of the rows: 0 active, s + 1 the pivot of step s, -1 out of the game (beyond the matrix, or the
//                     pivot of an earlier panel)
//   row `height`      the records: (row, value) of a step's pivot; the value 0 stands for "no pivot"
// Step k of an LU factorization (PLU) renders the columns beyond k of the other one of two textures: column j is final in
// texture j % 2, the record of step k is at column k + 1. A step of Gauss-Jordan (JORDAN) renders all, the record is at column k.
uniform ivec4 shape_of_panel; // columns, height in texels, first column and row in the matrix
uniform ivec2 matrix;         // rows, columns
#define columns shape_of_panel.x
#define height shape_of_panel.y
#define first_column shape_of_panel.z
#define first_row shape_of_panel.w

const vec4 lanes_of_texel = vec4(0., 1., 2., 3.);
