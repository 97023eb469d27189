// x_i <- value
#include "include/layout.glsl"

uniform float value;
out vec4 x;

void main() { x = masked(vec4(value)); }
