// A sweep of Jacobi's method: x <- x + w D^-1 (b - (1 - c lap) x), w = system.y
// START: the first two from zero in one pass; x counts as system.z D^-1 b
#include "sim/helmholtz.glsl"
uniform sampler2D x, b;

#if defined RIM && defined PARTIAL
float at(ivec2 p) {
  float times;
  p = cellOf(p, times);
#ifdef START
  return times * system.z * value(b, p) / diagonal(p);
#else
  return times * value(x, p);
#endif
}

float swept(ivec2 p) {
  if (p.x >= int(shape.x))
    return 0.;
  const ivec2 east = ivec2(1, 0), north = ivec2(0, 1);
  float here = at(p), around = at(p - east) + at(p + east) + at(p - north) + at(p + north);
  return here + system.y * (value(b, p) - DIAGONAL * here + system.x * around) / diagonal(p);
}

vec4 kernel() {
  ivec2 p = ivec2(gl_FragCoord.xy) * ivec2(4, 1);
  return vec4(swept(p), swept(p + ivec2(1, 0)), swept(p + ivec2(2, 0)), swept(p + ivec2(3, 0)));
}
#else
vec4 at(int i, int j) {
#if !defined RIM && defined START
  return system.z / DIAGONAL * texel(b, ivec2(i, j));
#elif !defined RIM
  return texel(x, ivec2(i, j));
#elif defined START
  float times;
  ivec2 t = ivec2(gl_FragCoord.xy) + ivec2(i, j), p = texelOf(t, times);
  return times * system.z * ended(texelFetch(b, p, 0) / diagonal(p), t.x);
#else
  return tile(x, ivec2(gl_FragCoord.xy) + ivec2(i, j));
#endif
}

vec4 kernel() {
  vec4 here = at(0, 0), west = at(-1, 0), east = at(1, 0), south = at(0, -1), north = at(0, 1);
  vec4 defect = texel(b) - DIAGONAL * here + system.x * AROUND(west, here, east, south, north);
  return here + system.y * defect / diagonal(ivec2(gl_FragCoord.xy));
}
#endif
