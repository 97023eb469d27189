// Two rows of numbers, from wherever they are, as one row of 2 x 2 texels.
uniform sampler2D source;
uniform int shift; // the source's column of texels is so far to the right of the target's
flat in vec2 from_rows;
out vec4 result;

vec2 pairFrom(float row) {
  int n = int(max(row, 0.));
  vec4 v = texelFetch(source, ivec2(int(gl_FragCoord.x) + shift, n / 2), 0);
  return row < 0. ? vec2(0.) : n % 2 == 0 ? v.rg : v.ba;
}

void main() { result = vec4(pairFrom(from_rows.x), pairFrom(from_rows.y)); }
