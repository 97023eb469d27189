// How every product ends: y <- ca s + cb b (src/matrix/gather.c sets it up).
#include "include/pass.glsl"

uniform vec2 combine_factor; // ca, cb
#ifdef COMBINE_B
uniform sampler2D combine_b;
vec4 combined(vec4 s) { return combine_factor.x * s + combine_factor.y * texel(combine_b); }
#else
vec4 combined(vec4 s) { return combine_factor.x * s; }
#endif
