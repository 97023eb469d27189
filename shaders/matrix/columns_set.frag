// One column of a dense matrix <- x; its image begins at texel `corner`.
#include "include/pass.glsl"

uniform sampler2D x;
uniform ivec2 corner;
out vec4 entry;

void main() { entry = texelFetch(x, ivec2(gl_FragCoord.xy) - corner, 0); }
