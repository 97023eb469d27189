// A packed operand of the product, or a transposed matrix: texel (x, y) <- texel (x, y) + from of A, with TURNED (y, x) + from;
// with SWAPPED the 2 x 2 block itself is transposed. Zero beyond from.zw.
uniform sampler2D a;
uniform ivec4 from; // first texel, in A; zw: width and height of what is packed
out vec4 texel;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
#ifdef TURNED
  vec4 v = texelFetch(a, from.xy + p.yx, 0);
#else
  vec4 v = texelFetch(a, from.xy + p, 0);
#endif
#ifdef SWAPPED
  v = v.rbga;
#endif
  texel = all(lessThan(p, from.zw)) ? v : vec4(0.);
}
