// x <- x + damping D^-1 r, with r = b - A x
#include "include/pass.glsl"

uniform sampler2D x, r, inverse;
uniform float damping;
out vec4 x_next;

void main() { x_next = texel(x) + scalar.z * damping * texel(inverse) * texel(r); }
