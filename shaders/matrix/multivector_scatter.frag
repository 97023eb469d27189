// COUNT vectors <- those of a multivector
#include "include/border.glsl"

uniform sampler2D multivector;
uniform vec2 multivector_texel;
layout(location = 0) out vec4 x[COUNT];

vec4 row(float i) { return bordered(multivector, vec2(i + 0.5, gl_FragCoord.y) * multivector_texel); }

void main() {
  float i = 4. * floor(gl_FragCoord.x);
  mat4 v = transpose(mat4(row(i), row(i + 1.), row(i + 2.), row(i + 3.)));
  for (int k = 0; k < COUNT; k++)
    x[k] = v[k];
}
