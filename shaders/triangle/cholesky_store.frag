// A factored panel into its columns: texel (i, j), j <= i, from layer j.
uniform sampler2DArray panel;
uniform int width; // its texels in a row
uniform float turn;
noperspective in vec2 local; // column, row from the first pivot on
out vec4 result;

void main() {
  int row = int(local.y), y = row / width;
  result = texelFetch(panel, ivec3(row - y * width, y, int(local.x)), 0);
  result = turn < 0. ? result.abgr : result;
}
