// The first and the last unknown of this block, from the shorter system's unknowns: layers as tridiagonal_solve.frag renders them, in blocks
// of UPPER.   FOLD: rows of the grid continue each other, and the shorter system is a column.
uniform sampler2DArray shorter;
uniform vec2 shorter_texel;
void ends(out T x_first, out T x_last) {
#ifdef FOLD
#define SHORTER_PLACE(p) vec2(0.5, (p)*shorter_texel.y)
  float pair = floor(gl_FragCoord.y);
#else
#define SHORTER_PLACE(p) PLACE((p)*ALONG(shorter_texel), across())
  float pair = block();
#endif
  float at = floor(pair * (2. / float(UPPER))), s = 2. * pair - float(UPPER) * at;
  vec2 p = SHORTER_PLACE(at + 0.5);
#ifdef VECTOR
  x_first = textureLod(shorter, vec3(p, s), 0.);
  x_last = textureLod(shorter, vec3(p, s + 1.), 0.);
#else
  float layer = floor(0.25 * s);
  vec4 v = textureLod(shorter, vec3(p, layer), 0.);
  bool second = s > 4. * layer + 1.;
  x_first = second ? v.z : v.x;
  x_last = second ? v.w : v.y;
#endif
}
