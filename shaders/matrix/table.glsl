// Item k of a table: a texture whose rows hold 2^shift items. `texel` is its uniform vec2 <t>_texel, which every pass sets.
// (By normalised coordinates: texelFetch takes half as long again on llvmpipe.)
#define item(t, texel, k, shift)                                                                                       \
  textureLod(t, (vec2(ivec2((k) & ((1 << (shift)) - 1), (k) >> (shift))) + 0.5) * texel, 0.)
