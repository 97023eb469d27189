// Four rows of a product with padded rows: s <- sum over the slots of value * x[position], y <- ca s + cb b.
// GROUP slots are summed at a time, unrolled; with GROUPS there are `groups` of them: pairwise in character.
#include "include/combine.glsl"

uniform sampler2D value, x;
uniform vec2 x_texel;
uniform vec4 place; // from uv to slot 0 in the slots' textures: scale, offset
uniform float slot; // from one slot to the next
uniform int groups;
out vec4 y;

#include "matrix/slots.glsl"

vec4 gathered(vec2 q) {
  vec4 u, v;
  locate(q, u, v);
  return vec4(textureLod(x, vec2(u.x, v.x), 0.).r, textureLod(x, vec2(u.y, v.y), 0.).r,
              textureLod(x, vec2(u.z, v.z), 0.).r, textureLod(x, vec2(u.w, v.w), 0.).r);
}

// GROUP slots from q on
vec4 groupSum(vec2 q) {
  vec4 sum = vec4(0.);
  for (int k = 0; k < GROUP; k++) {
    vec2 p = vec2(q.x, q.y + float(k) * slot);
    sum += textureLod(value, p, 0.) * gathered(p);
  }
  return sum;
}

void main() {
  vec2 q = uv * place.xy + place.zw;
#ifdef GROUPS
  vec4 sum = vec4(0.);
  for (int g = 0; g < groups; g++)
    sum += groupSum(vec2(q.x, q.y + float(g * GROUP) * slot));
#else
  vec4 sum = groupSum(q);
#endif
  y = combined(sum);
}
