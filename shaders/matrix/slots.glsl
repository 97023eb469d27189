// Where the elements of x are that a slot multiplies: columns u and rows v of four texels, for texture coordinate q of the slots.
//   WIDE  positions are integers (beyond 2^24); otherwise floats, which llvmpipe fetches faster
#ifdef WIDE
uniform isampler2D position;
uniform int x_shift;
void locate(vec2 q, out vec4 u, out vec4 v) {
  ivec4 at = textureLod(position, q, 0.);
  u = (vec4(at & ((1 << x_shift) - 1)) + 0.5) * x_texel.x;
  v = (vec4(at >> x_shift) + 0.5) * x_texel.y;
}
#else
uniform sampler2D position;
uniform vec2 pitch; // 2^-x_shift, 2^x_shift * x_texel.x
void locate(vec2 q, out vec4 u, out vec4 v) {
  vec4 t = textureLod(position, q, 0.) * pitch.x, row = floor(t);
  u = (t - row) * pitch.y + 0.5 * x_texel.x;
  v = (row + 0.5) * x_texel.y;
}
#endif
