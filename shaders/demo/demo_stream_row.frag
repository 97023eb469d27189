// The lowest row of a stream function's differences: - v, from the second element on.
uniform sampler2D v;
vec4 kernel() {
  vec4 t = texelFetch(v, ivec2(int(gl_FragCoord.x), 0), 0);
  return int(gl_FragCoord.x) == 0 ? -vec4(0., t.yzw) : -t;
}
