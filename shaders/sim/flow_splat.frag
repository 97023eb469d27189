// Around a place, with b = exp(-r^2 / radius^2), u and v (at open faces) and the dye (in fluid cells) get amount * b more, or with a pull
// become what q' = pull b (amount - q) makes of them in a unit of time.
#include "sim/flow.glsl"
uniform sampler2D open_u, open_v, fluid;
uniform vec3 place;  // x, y and radius in grid steps
uniform vec3 amount; // u, v, dye
uniform float pull;  // 0: none

vec4 splatted(vec4 q, float amount, vec2 offset) {
  vec4 x = vec4(cell().x) + vec4(0., 1., 2., 3.) + offset.x - place.x;
  float y = float(cell().y) + offset.y - place.y;
  vec4 bell = exp(-(x * x + y * y) / (place.z * place.z));
  return pull > 0. ? mix(q, vec4(amount), 1. - exp(-pull * bell)) : q + amount * bell;
}

void kernel(out vec4 y[3]) {
  y[0] = mix(texel(u), splatted(texel(u), amount.x, vec2(1., 0.5)), greaterThan(texel(open_u), vec4(0.)));
  y[1] = mix(texel(v), splatted(texel(v), amount.y, vec2(0.5, 1.)), greaterThan(texel(open_v), vec4(0.)));
  y[2] = texel(fluid) * splatted(texel(dye), amount.z, vec2(0.5));
}
