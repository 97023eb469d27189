// Sums in double-float (src/vector/reduce.h), s0 + s1 after the first level. Baked in: TERM(p), on the first level: statements that
// accumulate in `sum` what the sources hold at texture coordinate p.
#include "include/border.glsl"
#include "include/df64.glsl"

uniform sampler2D s0, s1, s2, s3;
uniform vec2 size; // of the sources, in texels

#define at(s, p) bordered(s, p)
const pairs zero = pairs(vec4(0.), vec4(0.));

void addTerm(vec2 p, inout pairs sum) {
#ifdef TERM
  TERM(p);
#else
  accumulate(sum, pairs(at(s0, p), at(s1, p)));
#endif
}
