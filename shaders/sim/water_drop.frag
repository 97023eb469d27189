// z <- max(z + height exp(-r^2 / radius^2), ground), not in walls
#include "sim/water.glsl"
uniform sampler2D z, before, ground;
uniform vec4 place; // x, y in cells; cell size / radius along x and y
uniform float height;

void kernel(out vec4 y[2]) {
  vec4 i = vec4(cell().x) + vec4(0.5, 1.5, 2.5, 3.5), j = vec4(float(cell().y) + 0.5), bed = texel(ground);
  vec4 dx = (i - place.x) * place.z, dy = (j - place.y) * place.w;
  vec4 rise = mix(height * exp(-(dx * dx + dy * dy)), vec4(0.), greaterThan(bed, vec4(1e8)));
  y[0] = max(texel(z) + rise, bed);
  y[1] = max(texel(before) + rise, bed);
}
