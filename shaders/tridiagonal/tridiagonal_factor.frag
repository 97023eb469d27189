// What solving with a block's rows needs beside the right-hand side (tridiagonal_factored.glsl), one kind a pass:
// what 0  weights F: eliminated upwards, the first row's right-hand side is sum F_i d_i
//      1  weights L: eliminated downwards, the last row's is sum L_i d_i
//      2, 3, 4  inverse 1 / p_i, lower a_i / p_i, ratio c_i / p_i of the pivots p_i = b_i - a_i ratio_(i-1) within the block
// Layers as in tridiagonal_solve.frag; zeros beyond the last row.
#include "tridiagonal/tridiagonal.glsl"

#ifdef VECTOR
layout(location = 0) out vec4 y[M];
#else
layout(location = 0) out vec4 y[M / 4];
#endif

T v[M];
uniform float what; // not baked in: it is asked once a factorization, and programs are dear

// Upwards, as firstRow
void weighFirst() {
  Row r = Row(T(0.), T(1.), T(-1.), T(0.));
  for (int i = M - 2; i >= 0; i--)
    WITHIN(i) {
      T w = c[i] / r.b;
      r = Row(a[i], b[i] - w * r.a, -w * r.c, T(0.));
      v[i + 1] = -w; // what row i takes of row i + 1
    }
  v[0] = T(1.);
  for (int i = 1; i < M; i++)
    v[i] = i < last ? v[i] * v[i - 1] : T(0.);
}

// Downwards, as lastRow
void weighLast() {
  Row r = Row(T(-1.), T(1.), T(0.), T(0.));
  for (int i = 1; i < M; i++)
    UP_TO_LAST(i) {
      T w = a[i] / r.b;
      r = Row(-w * r.a, b[i] - w * r.c, c[i], T(0.));
      v[i - 1] = -w;
    }
  v[M - 1] = T(last == M - 1 ? 1. : 0.);
  for (int i = M - 2; i > 0; i--)
    v[i] = i > last ? T(0.) : i == last ? T(1.) : v[i] * v[i + 1];
  v[0] = T(0.);
}

void pivots() {
  T ratio = T(0.);
  v[0] = v[M - 1] = T(0.);
  for (int i = 1; i < M - 1; i++) {
    T inverse = i < last ? T(1.) / (b[i] - a[i] * ratio) : T(0.);
    ratio = c[i] * inverse;
    v[i] = what == 2. ? inverse : what == 3. ? a[i] * inverse : ratio;
  }
}

void main() {
  load();
  if (what == 0.)
    weighFirst();
  else if (what == 1.)
    weighLast();
  else
    pivots();
#ifdef VECTOR
  for (int i = 0; i < M; i++)
    y[i] = v[i];
#else
  for (int i = 0; i < M / 4; i++)
    y[i] = vec4(v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]);
#endif
}
