// A block is a whole system: the inverse (p, q; r, s) of the 2 x 2 matrix of its first and its last row, so that
// x_first = p d_first + q d_last, x_last = r d_first + s d_last. Without exchanges, as tridiagonal_solve.frag solves it.   PERIODIC: the ends
// are coupled.
#include "tridiagonal/tridiagonal.glsl"

#ifdef VECTOR
layout(location = 0) out vec4 inverted[4];
#else
out vec4 inverted;
#endif

void main() {
  load();
  Row f = firstRow(), l = lastRow();
#ifdef PERIODIC
  if (last == 0)
    f.b += f.a + f.c;
  f.c += f.a;
  l.a += l.c;
#endif
  T w = l.a / f.b, s = T(1.) / (l.b - w * f.c), r = -w * s, p = (1. - f.c * r) / f.b, q = -f.c * s / f.b;
  if (last == 0) {
    p = 1. / f.b;
    q = r = s = T(0.);
  }
#ifdef VECTOR
  inverted[0] = p;
  inverted[1] = q;
  inverted[2] = r;
  inverted[3] = s;
#else
  inverted = vec4(p, q, r, s);
#endif
}
