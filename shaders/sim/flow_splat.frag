// Adds amount * exp(-r^2 / radius^2) around a place to u and v (at open faces) and to the dye (in fluid cells).
#include "sim/flow.glsl"
uniform sampler2D open_u, open_v, fluid;
uniform vec3 place;  // x, y and radius in grid steps
uniform vec3 amount; // u, v, dye

vec4 bell(vec2 offset) {
  vec4 x = vec4(cell().x) + vec4(0., 1., 2., 3.) + offset.x - place.x;
  float y = float(cell().y) + offset.y - place.y;
  return exp(-(x * x + y * y) / (place.z * place.z));
}

void kernel(out vec4 y[3]) {
  y[0] = texel(u) + vec4(greaterThan(texel(open_u), vec4(0.))) * amount.x * bell(vec2(1., 0.5));
  y[1] = texel(v) + vec4(greaterThan(texel(open_v), vec4(0.))) * amount.y * bell(vec2(0.5, 1.));
  y[2] = texel(dye) + texel(fluid) * amount.z * bell(vec2(0.5));
}
