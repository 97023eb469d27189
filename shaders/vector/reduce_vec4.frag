// v <- the reduced vec4 itself: up to four quantities at once
#include "vector/reduce_final.glsl"

out vec4 v;

void main() { v = total(); }
