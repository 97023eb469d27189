// The history of iteration 0 from a residual norm that is known: (-, rr, -, -), see iteration.vert
#include "include/pass.glsl"

out vec4 y;

void main() { y = vec4(0., scalar.x, 0., 0.); }
