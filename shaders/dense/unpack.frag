// The one-component texture of a vector: texel (i, j) <- lane i % 4 of texel (i / 4, j)
#include "include/pass.glsl"

uniform sampler2D x;
uniform float span; // the target's extent in x's texture coordinates
out float y;

void main() {
  vec4 t = textureLod(x, vec2(span * uv.x, uv.y), 0.);
  int i = int(gl_FragCoord.x);
  vec2 half_texel = (i & 2) == 0 ? t.xy : t.zw;
  y = (i & 1) == 0 ? half_texel.x : half_texel.y;
}
