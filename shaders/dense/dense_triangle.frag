// C <- the LOWER or upper triangle of A; with UNIT ones on the diagonal. C lies in A's upper left corner.
#include "dense/dense.glsl"

uniform sampler2D a;
out vec4 c;

void main() {
  vec4 v = texelFetch(a, ivec2(gl_FragCoord.xy), 0);
  c = vec4(0.);
  for (int lane = 0; lane < LANES; lane++) {
    ivec2 e = entryOf(lane);
#ifdef LOWER
    bool kept = e.x >= e.y;
#else
    bool kept = e.x <= e.y;
#endif
    if (isInside(e) && kept)
      c[lane] = v[lane];
#ifdef UNIT
    if (isInside(e) && e.x == e.y)
      c[lane] = 1.;
#endif
  }
}
