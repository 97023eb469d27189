// The first and the last row of each block, with what lies between them eliminated: the rows of a system M / 2 times shorter.
#include "tridiagonal/tridiagonal.glsl"

#ifdef VECTOR
layout(location = 0) out vec4 reduced[8];
#else
layout(location = 0) out vec4 reduced[2];
#endif

void main() {
  load();
  Row f = firstRow(), l = lastRow();
#ifdef VECTOR
  reduced[0] = f.a;
  reduced[1] = f.b;
  reduced[2] = f.c;
  reduced[3] = f.d;
  reduced[4] = l.a;
  reduced[5] = l.b;
  reduced[6] = l.c;
  reduced[7] = l.d;
#else
  reduced[0] = vec4(f.a, f.b, f.c, f.d);
  reduced[1] = vec4(l.a, l.b, l.c, l.d);
#endif
}
