// One point: ca times four products of a row with multivectors, where the row lives.
layout(location = 0) in vec4 position; // in x
layout(location = 1) in vec4 value;
layout(location = 2) in vec2 element; // column and row of the result
uniform sampler2D x0, x1;
uniform vec2 x0_texel;
uniform int x_shift;
uniform float factor; // ca
uniform vec2 cell;    // 2 / the target's size
flat out vec4 term[GROUPS];

vec4 sumOf(sampler2D x) {
  vec4 u = vec4(ivec4(position) & ((1 << x_shift) - 1)), v = vec4(ivec4(position) >> x_shift);
  u = (u + 0.5) * x0_texel.x;
  v = (v + 0.5) * x0_texel.y;
  return (value.x * textureLod(x, vec2(u.x, v.x), 0.) + value.y * textureLod(x, vec2(u.y, v.y), 0.)) +
         (value.z * textureLod(x, vec2(u.z, v.z), 0.) + value.w * textureLod(x, vec2(u.w, v.w), 0.));
}

void main() {
  term[0] = factor * sumOf(x0);
#if GROUPS == 2
  term[1] = factor * sumOf(x1);
#endif
  gl_Position = vec4((element + 0.5) * cell - 1., 0., 1.);
}
