// y <- x
#include "include/pass.glsl"

uniform sampler2D x;
out vec4 y;

void main() { y = texel(x); }
