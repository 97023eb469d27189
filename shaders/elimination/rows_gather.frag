// Rows on their way to other places: row i of texels <- the two rows that panel_moves.frag names; a source of -1 is a row of zeros.
uniform sampler2D a, moves;
uniform vec2 a_texel;
uniform ivec3 from; // the moves' row, rows of texels of the top, the panel's first row of texels
out vec4 result;

vec2 rowFrom(float source, float x) {
  float texel = floor(0.5 * source);
  vec4 v = textureLod(a, vec2(x, (max(texel, 0.) + float(from.z) + 0.5) * a_texel.y), 0.);
  return source < 0. ? vec2(0.) : source == 2. * texel ? v.rg : v.ba;
}

void main() {
  vec4 source = texelFetch(moves, ivec2(int(gl_FragCoord.y), from.x + 2), 0);
  float x = gl_FragCoord.x * a_texel.x;
  result = vec4(rowFrom(source.x, x), rowFrom(source.y, x));
}
