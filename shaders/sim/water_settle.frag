// The ground changes, or new levels have been uploaded: dry places stay dry, closed faces have no velocity.
#include "sim/water.glsl"
uniform sampler2D z, before, u, v, old_ground, ground, sill_x, sill_y;
uniform float keeps_dry; // 1: what was dry is dry

// The level over the new ground.
vec4 settled(vec4 level, vec4 old, vec4 bed) {
  return mix(max(level, bed), bed, lessThanEqual(level - old, vec4(keeps_dry * cells.z - (1. - keeps_dry) * 1e30)));
}
vec4 settledAt(sampler2D s, int dx, int dy) {
  vec4 level = settled(neighbours(s, dx, dy), neighbours(old_ground, dx, dy), neighbours(ground, dx, dy));
  return mix(level, vec4(1e9), greaterThan(neighbours(ground, dx, dy), vec4(1e8)));
}

void kernel(out vec4 y[4]) {
  vec4 here = settledAt(z, 0, 0);
  y[0] = here;
  y[1] = settledAt(before, 0, 0);
  y[2] = mix(vec4(0.), texel(u), greaterThan(max(here, settledAt(z, 1, 0)), texel(sill_x)));
  y[3] = mix(vec4(0.), texel(v), greaterThan(max(here, settledAt(z, 0, 1)), texel(sill_y)));
}
