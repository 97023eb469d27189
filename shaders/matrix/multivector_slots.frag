// The product of a block of padded rows with multivectors: see slots.frag. The slots of a row are texels one above the other.
//   WIDE  positions are integers, and they and the values come as they are stored, four rows to a texel
#include "matrix/multivector.glsl"

uniform vec2 x0_texel;
uniform vec4 place; // from uv to slot 0: scale, offset
uniform float slot; // from one slot to the next
uniform int slots;

#ifdef WIDE
uniform sampler2D value;
uniform isampler2D position;
uniform int x_shift;
MULTIVECTORS term(vec2 q) {
  int lane = int(gl_FragCoord.x) & 3, at = textureLod(position, q, 0.)[lane];
  return textureLod(value, q, 0.)[lane] *
         multivectorsAt((vec2(at & ((1 << x_shift) - 1), at >> x_shift) + 0.5) * x0_texel);
}
#else
uniform sampler2D entries; // (value, position)
uniform vec2 pitch;        // 2^-x_shift, 2^x_shift * x0_texel.x
MULTIVECTORS term(vec2 q) {
  vec2 entry = textureLod(entries, q, 0.).rg;
  float t = entry.y * pitch.x, row = floor(t);
  return entry.x * multivectorsAt(vec2((t - row) * pitch.y + 0.5 * x0_texel.x, (row + 0.5) * x0_texel.y));
}
#endif

void main() {
  vec2 q = uv * place.xy + place.zw;
  MULTIVECTORS sum = MULTIVECTORS(0.);
  for (int first = 0; first < slots; first += GROUP) {
    MULTIVECTORS part = MULTIVECTORS(0.);
    for (int k = 0; k < GROUP; k++) {
      part += term(q);
      q.y += slot;
    }
    sum += part;
  }
  finish(sum);
}
