// Several sums at once, each of them a vec4 (src/vector/reduce.h). Baked in: SUMS and, where the sources are vectors, TERM(p):
// statements that add to `sum` what the sources hold at texture coordinate p. Otherwise source k belongs to sum k.
#include "include/border.glsl"

uniform sampler2D s0, s1, s2, s3, s4, s5, s6, s7;
uniform vec2 size; // of the sources, in texels

#define at(s, p) bordered(s, p)

void addTerm(vec2 p, inout vec4 sum[SUMS]) {
#ifdef TERM
  TERM(p)
#else
  sum[0] += at(s0, p);
#if SUMS > 1
  sum[1] += at(s1, p);
#endif
#if SUMS > 2
  sum[2] += at(s2, p);
#endif
#if SUMS > 3
  sum[3] += at(s3, p);
#endif
#if SUMS > 4
  sum[4] += at(s4, p);
#endif
#if SUMS > 5
  sum[5] += at(s5, p);
#endif
#if SUMS > 6
  sum[6] += at(s6, p);
#endif
#if SUMS > 7
  sum[7] += at(s7, p);
#endif
#endif
}
