// Row i of C <- row order_i of A, 2 x 2 packed; a row of zeros where order_i < 0. Texel k of `order` holds those of rows 2k, 2k + 1.
uniform sampler2D a, order;
out vec4 c;

vec2 rowOfA(float source, int x) {
  int row = int(source);
  vec4 v = texelFetch(a, ivec2(x, max(row, 0) / 2), 0);
  return source < 0. ? vec2(0.) : row % 2 == 0 ? v.rg : v.ba;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec2 source = texelFetch(order, ivec2(p.y, 0), 0).rg;
  c = vec4(rowOfA(source.x, p.x), rowOfA(source.y, p.x));
}
