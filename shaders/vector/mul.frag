// z_i <- x_i y_i
#include "include/pass.glsl"

uniform sampler2D x, y;
out vec4 z;

void main() { z = texel(x) * texel(y); }
