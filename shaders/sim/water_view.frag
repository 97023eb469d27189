// VIEW 0: depth   1: speed   2: vorticity v_x - u_y, at the centres, without velocities of closed faces
// 3: energy density 1/2 (H (u^2 + v^2) + g (z^2 - max(b, 0)^2)), the velocities' squares averaged from the faces   4: level where it is wet
#include "sim/water.glsl"
uniform sampler2D z, ground, u, v;
uniform vec3 factors; // g, 1 / dx, 1 / dy

vec4 kernel() {
  vec4 bed = texel(ground), wall = step(vec4(1e8), bed), level = texel(z), depth = mix(level - bed, vec4(0.), wall);
#if VIEW == 0
  return depth;
#elif VIEW == 4
  return mix(vec4(0.), level, greaterThan(depth, vec4(cells.z)));
#elif VIEW == 2
  vec4 right = neighbours(v, 1, 0) + neighbours(v, 1, -1), left = neighbours(v, -1, 0) + neighbours(v, -1, -1);
  vec4 top = neighbours(u, 0, 1) + neighbours(u, -1, 1), bottom = neighbours(u, 0, -1) + neighbours(u, -1, -1);
  return step(vec4(cells.z), depth) * 0.25 * (factors.y * (right - left) - factors.z * (top - bottom));
#else
  vec4 e = texel(u), w = neighbours(u, -1, 0), n = texel(v), s = neighbours(v, 0, -1);
#if VIEW == 1
  return 0.5 * sqrt((e + w) * (e + w) + (n + s) * (n + s));
#else
  vec4 squares = 0.5 * (e * e + w * w + n * n + s * s);
  return mix(0.5 * (depth * squares + factors.x * (level * level - max(bed, 0.) * max(bed, 0.))), vec4(0.), wall);
#endif
#endif
}
