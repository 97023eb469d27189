// Back substitution, AT_ONCE unknowns of each system a pass; they are the components of a texel. With one at once the second component is
// the next unknown.
#include "include/pass.glsl"

uniform sampler2DArray upper; // of tridiagonal_forward.frag, for this block
uniform vec2 upper_texel;
uniform sampler2D after; // the unknowns of the next block
uniform vec2 after_texel;
uniform float block, blocks;
out vec4 x;

void main() {
  vec2 next = vec2(0.);
  if (block + 1. < blocks)
    next = textureLod(after, vec2(uv.x, (floor(0.5 * (block + 1.)) + 0.5) * after_texel.y), 0.).xy;
  x = vec4(0., next.x, 0., 0.);
  for (int k = AT_ONCE - 1; k >= 0; k--) {
    vec4 u = textureLod(upper, vec3(uv.x, (floor(0.5 * block) + 0.5) * upper_texel.y, float(k)), 0.);
    x[k] = (u.w - u.y * next.x - u.z * next.y) / u.x;
    next = vec2(x[k], next.x);
  }
}
