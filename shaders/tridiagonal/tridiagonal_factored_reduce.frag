// The right-hand sides of the first and the last row of each block: those of a system M / 2 times shorter.
#include "tridiagonal/tridiagonal_factored.glsl"

#ifdef VECTOR
layout(location = 0) out vec4 shorter[2];
#else
out vec4 shorter;
#endif

void main() {
  load();
  T first, last_one;
  reduced(first, last_one);
#ifdef VECTOR
  shorter[0] = first;
  shorter[1] = last_one;
#else
  shorter = vec4(first, last_one, 0., 0.);
#endif
}
