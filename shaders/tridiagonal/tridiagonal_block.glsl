// Where a fragment's block of M rows lies; along x or y, of one system or of four (shaders/tridiagonal/tridiagonal.glsl).
#include "include/pass.glsl"

#ifdef VECTOR
#define T vec4
#else
#define T float
#endif

uniform float rows; // of a system

#ifdef ALONG_X
#define ALONG(p) p.x
#define PLACE(along, across) vec2(along, across)
#else
#define ALONG(p) p.y
#define PLACE(along, across) vec2(across, along)
#endif

float block() {
  return floor(ALONG(gl_FragCoord));
}
float across() {
#ifdef ALONG_X
  return uv.y;
#else
  return uv.x;
#endif
}

#ifdef RIM
int last;
#define WITHIN(i) if (i < last)
#define UP_TO_LAST(i) if (i <= last)
#else
const int last = M - 1;
#define WITHIN(i)
#define UP_TO_LAST(i)
#endif

#ifdef RIM
void findLast() { last = int(min(float(M - 1), rows - 1. - block() * float(M))); }
#else
void findLast() {}
#endif

// STRIPED: only lines stripe, stripe + 2, .. of the grid are systems. Along y they come from two texels.
#ifdef STRIPED
uniform float stripe;
#endif
#if defined(VECTOR) && defined(STRIPED)
vec4 everyOther(vec4 v, vec4 w) { return stripe == 0. ? vec4(v.xz, w.xz) : vec4(v.yw, w.yw); }
#define LINES(fetch, along, texel) \
  everyOther(fetch(vec2((2. * floor(gl_FragCoord.x) + 0.5) * texel.x, along)), \
              fetch(vec2((2. * floor(gl_FragCoord.x) + 1.5) * texel.x, along)))
#elif defined(VECTOR)
#define LINES(fetch, along, texel) fetch(vec2(uv.x, along))
#elif defined(STRIPED)
#define LINES(fetch, along, texel) fetch(PLACE(along, (2. * floor(gl_FragCoord.y) + stripe + 0.5) * texel.y))
#else
#define LINES(fetch, along, texel) fetch(PLACE(along, across()))
#endif
