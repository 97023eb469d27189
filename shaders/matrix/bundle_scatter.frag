// COUNT vectors <- those of a bundle
uniform sampler2D bundle;
uniform vec2 bundle_texel;
layout(location = 0) out vec4 x[COUNT];

vec4 row(float i) { return textureLod(bundle, vec2(i + 0.5, gl_FragCoord.y) * bundle_texel, 0.); }

void main() {
  float i = 4. * floor(gl_FragCoord.x);
  mat4 v = transpose(mat4(row(i), row(i + 1.), row(i + 2.), row(i + 3.)));
  for (int k = 0; k < COUNT; k++)
    x[k] = v[k];
}
