// The product of padded rows with bundles: see slots.frag. A slot's texel is shared by four fragments.
#include "include/bundle.glsl"

uniform sampler2D value;
uniform vec2 x0_texel;
uniform vec4 place; // from uv to slot 0 in the slots' textures: scale, offset
uniform float slot; // from one slot to the next
uniform int slots;

#ifdef WIDE
uniform isampler2D position;
uniform int x_shift;
vec2 locate(vec2 q, int lane) {
  int at = textureLod(position, q, 0.)[lane];
  return (vec2(at & ((1 << x_shift) - 1), at >> x_shift) + 0.5) * x0_texel;
}
#else
uniform sampler2D position;
uniform vec2 pitch; // 2^-x_shift, 2^x_shift * x0_texel.x
vec2 locate(vec2 q, vec4 lane) {
  float t = dot(textureLod(position, q, 0.), lane) * pitch.x, row = floor(t);
  return vec2((t - row) * pitch.y + 0.5 * x0_texel.x, (row + 0.5) * x0_texel.y);
}
#endif

void main() {
  vec2 q = uv * place.xy + place.zw;
  vec4 lane = rowLane();
  BUNDLES sum = BUNDLES(0.);
  for (int first = 0; first < slots; first += GROUP) {
    BUNDLES part = BUNDLES(0.);
    for (int k = 0; k < GROUP; k++) {
#ifdef WIDE
      part += dot(textureLod(value, q, 0.), lane) * bundlesAt(locate(q, int(gl_FragCoord.x) & 3));
#else
      part += dot(textureLod(value, q, 0.), lane) * bundlesAt(locate(q, lane));
#endif
      q.y += slot;
    }
    sum += part;
  }
  finish(sum);
}
