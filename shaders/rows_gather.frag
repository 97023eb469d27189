// Rows on their way to other places (panel_moves.frag): first the rows of the panel's top, then for each slot the row of texels with
// it. A source of -1 is a row of zeros.
uniform sampler2D a, moves;
uniform ivec3 from; // the moves' row, rows of texels of the top, the panel's first row of texels
out vec4 result;

vec2 rowFrom(float source, int x) {
  int row = int(source);
  vec4 v = texelFetch(a, ivec2(x, from.z + max(row, 0) / 2), 0);
  return source < 0. ? vec2(0.) : row % 2 == 0 ? v.rg : v.ba;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec2 source;
  if (p.y < from.y) {
    source = vec2(texelFetch(moves, ivec2(2 * p.y, from.x), 0).x, texelFetch(moves, ivec2(2 * p.y + 1, from.x), 0).x);
  } else {
    source = texelFetch(moves, ivec2(p.y - from.y, from.x + 1), 0).yz;
  }
  result = vec4(rowFrom(source.x, p.x), rowFrom(source.y, p.x));
}
