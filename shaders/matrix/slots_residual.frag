// r <- b - A x in double-float, for rows with padded slots (shaders/matrix/slots.frag); x holds (hi, lo) in a texel.
#include "matrix/residual.glsl"

uniform sampler2D value, x;
uniform vec2 x_texel;
uniform vec4 place; // from uv to slot 0 in the slots' textures: scale, offset
uniform float slot; // from one slot to the next
uniform int groups;
#include "matrix/slots.glsl"

pairs gathered(vec2 q) {
  vec4 u, v;
  locate(q, u, v);
  vec2 first = textureLod(x, vec2(u.x, v.x), 0.).rg, second = textureLod(x, vec2(u.y, v.y), 0.).rg;
  vec2 third = textureLod(x, vec2(u.z, v.z), 0.).rg, fourth = textureLod(x, vec2(u.w, v.w), 0.).rg;
  return pairs(vec4(first.x, second.x, third.x, fourth.x), vec4(first.y, second.y, third.y, fourth.y));
}

void main() {
  vec2 q = uv * place.xy + place.zw;
  pairs total = pairs(vec4(0.), vec4(0.));
  for (int g = 0; g < groups; g++) {
    pairs sum = pairs(vec4(0.), vec4(0.));
    for (int k = 0; k < GROUP; k++) {
      accumulate(sum, -textureLod(value, q, 0.), gathered(q));
      q.y += slot;
    }
    total = joined(total, sum);
  }
  finish(total);
}
