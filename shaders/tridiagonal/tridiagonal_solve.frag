// The M unknowns of a block from its rows and from its first and last unknown, which the shorter system has given. Layer i holds
// unknown i of four systems (VECTOR), otherwise unknowns 4 i .. 4 i + 3.
// WHOLE: the block is a whole system; PERIODIC: its ends are coupled.
#include "tridiagonal/tridiagonal.glsl"

#ifdef VECTOR
layout(location = 0) out vec4 x[M];
#else
layout(location = 0) out vec4 x[M / 4];
#endif

#ifdef WHOLE
// 2 x 2: b x_0 + c x_last = d of the first row, a x_0 + b x_last = d of the last one
void ends(out T x_first, out T x_last) {
  Row f = firstRow(), l = lastRow();
#ifdef PERIODIC
  if (last == 0)
    f.b += f.a + f.c;
  f.c += f.a;
  l.a += l.c;
#endif
  T w = l.a / f.b;
  x_last = (l.d - w * f.d) / (l.b - w * f.c);
  if (last == 0) {
    f.c = T(0.);
    x_last = T(0.);
  }
  x_first = (f.d - f.c * x_last) / f.b;
}
#else
#include "tridiagonal/tridiagonal_shorter.glsl"
#endif

void main() {
  load();
  T x_first, x_last;
  ends(x_first, x_last);
  // Downwards from x_0, whose row is 1 x_0 + 0 x_1 = x_first: afterwards x_i = d_i - c_i x_(i+1)
  T f = T(0.), r = x_first;
  for (int i = 1; i < M - 1; i++)
    WITHIN(i) {
      T inverse = T(1.) / (b[i] - a[i] * f);
      f = c[i] * inverse;
      r = (d[i] - a[i] * r) * inverse;
      c[i] = f;
      d[i] = r;
    }
  d[M - 1] = x_last;
  for (int i = M - 2; i > 0; i--) {
#ifdef RIM
    if (i >= last)
      d[i] = i == last ? x_last : T(0.);
    else
#endif
      d[i] -= c[i] * d[i + 1];
  }
#ifdef RIM
  if (last < M - 1)
    d[M - 1] = T(0.);
#endif
  d[0] = x_first;
#ifdef VECTOR
  for (int i = 0; i < M; i++)
    x[i] = d[i];
#else
  for (int i = 0; i < M / 4; i++)
    x[i] = vec4(d[4 * i], d[4 * i + 1], d[4 * i + 2], d[4 * i + 3]);
#endif
}
