// The products of an iteration from the partial results of its reduction, which lie in a ring (src/krylov/cg_merged.c). Groups of 16 keep
// the sum pairwise in character. Whoever sums them does so in this order: a step and the history must agree on when to stop.
uniform sampler2D sums;
uniform ivec2 sums_size; // texels of an iteration
uniform int sums_slot;   // the iteration's place

vec4 summed(int slot) {
  vec2 texel = 1. / vec2(textureSize(sums, 0)), p = (vec2(0., slot * sums_size.y) + 0.5) * texel;
  vec4 total = vec4(0.);
  for (int j = 0; j < sums_size.y; j++) {
    for (int i = 0; i < sums_size.x; i += 16) {
      vec4 group = vec4(0.);
      for (int k = 0; k < 16; k++) {
        vec4 term = textureLod(sums, vec2(p.x + float(i + k) * texel.x, p.y), 0.);
        group += i + k < sums_size.x ? term : vec4(0.);
      }
      total += group;
    }
    p.y += texel.y;
  }
  return total;
}
