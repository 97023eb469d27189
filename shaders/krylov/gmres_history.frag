// history(k + 1) <- (w.w, |r_k+1|^2, c_j, s_j) from texel (j, j) of the triangle
#include "include/pass.glsl"

uniform sampler2D triangle;
uniform int j;
out vec4 entry;

void main() { entry = vec4(scalar.y, texelFetch(triangle, ivec2(j), 0).yzw); }
