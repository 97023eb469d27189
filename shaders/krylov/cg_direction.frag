// Preconditioned conjugate gradients, second half: p <- z + beta p
#include "include/pass.glsl"

uniform sampler2D z, p;
out vec4 p_next;

void main() { p_next = scalar.z > 0. ? texel(z) + scalar.y * texel(p) : texel(p); }
