// z <- a alpha x + b beta y
#include "include/pass.glsl"

uniform sampler2D x, y;
uniform vec2 factor; // a, b
out vec4 z;

void main() { z = (factor.x * scalar.x) * texel(x) + (factor.y * scalar.y) * texel(y); }
