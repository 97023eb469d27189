// Texels of a part of a lower triangle, in logical order: column from.x + x, row from.y + step y. TURNED: the part is turned by 180 degrees,
// entries too. REVERSED: step is -1, and the rows of a block change places, too: for products into a turned part.
uniform sampler2D lower;
uniform ivec4 from; // where the first texel is; steps of a column and of a row
out vec4 result;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 v = texelFetch(lower, from.xy + from.zw * p, 0);
#ifdef TURNED
  v = v.abgr;
#endif
#ifdef REVERSED
  v = v.barg;
#endif
  result = v;
}
