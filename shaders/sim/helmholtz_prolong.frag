// x <- x + the next coarser grid's e, interpolated between the middles of its cells.
#include "sim/helmholtz.glsl"
uniform sampler2D x, e; // `shape` and `ghost` are those of e

#if defined RIM && defined PARTIAL
float at(ivec2 p) {
  float times;
  p = cellOf(p, times);
  return times * value(e, p);
}
float interpolated(ivec2 p) {
  ivec2 cell = p >> 1, beside = 2 * (p & 1) - 1; // the nearest one, and where the next ones are
  float row = 3. * at(cell) + at(cell + ivec2(beside.x, 0)), next = 3. * at(cell + ivec2(0, beside.y)) + at(cell + beside);
  return p.x < 2 * int(shape.x) ? (3. * row + next) / 16. : 0.;
}

vec4 kernel() {
  ivec2 p = ivec2(gl_FragCoord.xy) * ivec2(4, 1);
  return texel(x) + vec4(interpolated(p), interpolated(p + ivec2(1, 0)), interpolated(p + ivec2(2, 0)),
                         interpolated(p + ivec2(3, 0)));
}
#else
vec4 four(ivec2 t, bool even) { // of a row of e: the two cells that these four columns lie in, and one more on either side
  vec4 here = tile(e, t), other = tile(e, t + ivec2(even ? -1 : 1, 0));
  return even ? vec4(other.w, here.xyz) : vec4(here.yzw, other.x);
}

vec4 kernel() {
  ivec2 p = ivec2(gl_FragCoord.xy), t = p >> 1;
  bool even = (p.x & 1) == 0;
  vec4 y = 0.75 * four(t, even) + 0.25 * four(t + ivec2(0, 2 * (p.y & 1) - 1), even);
  return texel(x) + 0.75 * y.yyzz + 0.25 * y.xzyw;
}
#endif
