// A sweep of Jacobi's method: x <- x + w D^-1 (b - (1 - c lap) x), w = system.y
// START: the first two from zero in one pass; x counts as system.z D^-1 b
#include "sim/helmholtz.glsl"
uniform sampler2D x, b;

#ifdef RIM
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
#ifdef START
#define AT(i, j) (system.z / DIAGONAL * neighbours(b, i, j))
#else
#define AT(i, j) neighbours(x, i, j)
#endif

vec4 kernel() {
  vec4 around = AT(-1, 0) + AT(1, 0) + AT(0, -1) + AT(0, 1);
  return mix(AT(0, 0), (texel(b) + system.x * around) / DIAGONAL, system.y);
}
#endif
