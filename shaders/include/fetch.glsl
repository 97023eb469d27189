// Stands before texla's own shaders on a software renderer. llvmpipe's texelFetch looks up sizes and strides for the level of detail of
// each lane (190 instructions for eight texels); with coordinates in 0..1 it takes level 0 for all (70). Textures with TX_BILINEAR
// are not fetched from.
vec4 txFetch(sampler2D s, ivec2 p) { return textureLod(s, (vec2(p) + 0.5) / vec2(textureSize(s, 0)), 0.); }
ivec4 txFetch(isampler2D s, ivec2 p) { return textureLod(s, (vec2(p) + 0.5) / vec2(textureSize(s, 0)), 0.); }
vec4 txFetch(sampler2DArray s, ivec3 p) {
  return textureLod(s, vec3((vec2(p.xy) + 0.5) / vec2(textureSize(s, 0).xy), float(p.z)), 0.);
}
#define texelFetch(s, p, level) txFetch(s, p)
