// c_ij <- row_i a_ij col_j, 2 x 2 packed; texel k of the factors holds those of 2k and 2k + 1.
uniform sampler2D a, row, col;
out vec4 c;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec2 r = texelFetch(row, ivec2(p.y, 0), 0).rg, s = texelFetch(col, ivec2(p.x, 0), 0).rg;
  c = texelFetch(a, p, 0) * r.rrgg * s.rgrg;
}
