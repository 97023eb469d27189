// Elimination with row exchanges, AT_ONCE rows of each system a pass: row i + 1 meets what is left of the rows before, and the one with the
// larger magnitude in column i becomes row i of U: u0 x_i + u1 x_(i+1) + u2 x_(i+2) = y. Layers 0 .. AT_ONCE - 1 are those; the next one holds
// what is left: p x_i + q x_(i+1) = z for the next i. Blocks of rows take turns between two textures.
#include "include/pass.glsl"

uniform sampler2D batch;
uniform vec2 batch_texel;
uniform sampler2DArray before; // the other texture
uniform vec2 before_texel;
uniform float rows;
uniform float block;
layout(location = 0) out vec4 upper[AT_ONCE + 1];

vec4 rowAt(float i) {
  return i < rows ? textureLod(batch, vec2(uv.x, (i + 0.5) * batch_texel.y), 0.) : vec4(0., 1., 0., 0.);
}

void main() {
  float i = block * float(AT_ONCE);
  vec3 left; // p, q, z
  if (block == 0.)
    left = rowAt(0.).yzw;
  else
    left = textureLod(before, vec3(uv.x, (floor(0.5 * (block - 1.)) + 0.5) * before_texel.y, float(AT_ONCE)), 0.).xyz;
  for (int k = 0; k < AT_ONCE; k++) {
    vec4 next = rowAt(i + float(k) + 1.);
    if (abs(next.x) > abs(left.x)) {
      float w = left.x / next.x;
      upper[k] = next;
      left = vec3(left.y - w * next.y, -w * next.z, left.z - w * next.w);
    } else {
      float w = next.x / left.x;
      upper[k] = vec4(left.xy, 0., left.z);
      left = vec3(next.y - w * left.y, next.z, next.w - w * left.z);
    }
  }
  upper[AT_ONCE] = vec4(left, 0.);
}
