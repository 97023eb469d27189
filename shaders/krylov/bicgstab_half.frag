// BiCGStab, first half: s <- r - alpha v
#include "include/pass.glsl"

uniform sampler2D r, v;
out vec4 s;

void main() { s = texel(r) - (scalar.z > 0. ? scalar.x * texel(v) : vec4(0.)); }
