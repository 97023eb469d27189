// What sums up to a stream function: its values in the lowest row, u above.
uniform sampler2D u, row;
vec4 kernel() {
  return int(gl_FragCoord.y) == 0 ? texelFetch(row, ivec2(int(gl_FragCoord.x), 0), 0) : texel(u, ivec2(0));
}
