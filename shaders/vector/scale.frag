// y <- a alpha x
#include "include/pass.glsl"

uniform sampler2D x;
uniform float factor; // a
out vec4 y;

void main() { y = (factor * scalar.x) * texel(x); }
