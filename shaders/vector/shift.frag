// y_i <- x_i + a alpha
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D x;
uniform float factor; // a
out vec4 y;

void main() { y = masked(texel(x) + factor * scalar.x); }
