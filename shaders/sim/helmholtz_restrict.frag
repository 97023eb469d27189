// The next coarser grid's right-hand side: the mean of b - (1 - c lap) x over the four cells of each of its own.
#include "sim/helmholtz.glsl"
uniform sampler2D x, b; // of the finer grid, which `shape` describes

#if defined RIM && defined PARTIAL
float at(ivec2 p) {
  float times;
  p = cellOf(p, times);
  return times * value(x, p);
}
float residual(ivec2 p) {
  const ivec2 east = ivec2(1, 0), north = ivec2(0, 1);
  float around = at(p - east) + at(p + east) + at(p - north) + at(p + north);
  return value(b, p) - DIAGONAL * value(x, p) + system.x * around;
}
float mean(ivec2 cell) {
  ivec2 p = 2 * cell;
  if (p.x >= int(shape.x))
    return 0.;
  return (residual(p) + residual(p + ivec2(1, 0)) + residual(p + ivec2(0, 1)) + residual(p + 1)) / 4.;
}

vec4 kernel() {
  ivec2 p = ivec2(gl_FragCoord.xy) * ivec2(4, 1);
  return vec4(mean(p), mean(p + ivec2(1, 0)), mean(p + ivec2(2, 0)), mean(p + ivec2(3, 0)));
}
#else
vec4 residual(ivec2 t) { // of a texel of the finer grid
  const ivec2 dx = ivec2(1, 0), dy = ivec2(0, 1);
  if (4 * t.x >= int(shape.x))
    return vec4(0.);
  vec4 here = tile(x, t), west = tile(x, t - dx), east = tile(x, t + dx), south = tile(x, t - dy), north = tile(x, t + dy);
  return texelFetch(b, t, 0) - DIAGONAL * here + system.x * AROUND(west, here, east, south, north);
}

vec4 kernel() {
  ivec2 t = 2 * ivec2(gl_FragCoord.xy);
  vec4 first = residual(t) + residual(t + ivec2(0, 1)), second = residual(t + ivec2(1, 0)) + residual(t + 1);
  return (vec4(first.xz, second.xz) + vec4(first.yw, second.yw)) / 4.;
}
#endif
