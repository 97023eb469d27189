// One point: ca times four products of a row, at the centre of the texel where the row lives. Four rows share a texel: the sum goes
// into the row's lane, zeros into the others.
#include "matrix/table.glsl"

layout(location = 0) in vec4 position; // in x
layout(location = 1) in vec4 value;
layout(location = 2) in vec2 element; // column and row of the result
uniform sampler2D x;
uniform vec2 x_texel;
uniform int x_shift;
uniform float factor; // ca
uniform vec2 cell;    // 2 / the target's size
flat out vec4 term;

float at(float p) { return item(x, x_texel, int(p), x_shift).r; }

void main() {
  vec4 p = value * vec4(at(position.x), at(position.y), at(position.z), at(position.w));
  float sum = factor * ((p.x + p.y) + (p.z + p.w));
  float texel = floor(0.25 * element.x);
  vec2 place = vec2(texel, element.y);
  term = mix(vec4(0.), vec4(sum), equal(vec4(element.x - 4. * texel), vec4(0., 1., 2., 3.)));
  gl_Position = vec4((place + 0.5) * cell - 1., 0., 1.);
}
