// Blocks of tridiagonal systems (src/tridiagonal/passes.c). A fragment has M consecutive rows of a system in registers,
//     a_i x_(i-1) + b_i x_i + c_i x_(i+1) = d_i,  i = 0 .. last (M - 1; less in a system's last block),
// or, with VECTOR, of four neighbouring systems: then everything below is a vec4, a lane for each.
//
// Baked in: M; ALONG_X or not; where the rows come from:
//   BANDS   four grids; along x a texel holds four rows of a system, along y a row of four systems (VECTOR). SUB_VALUE, MAIN_VALUE,
//           SUPER_VALUE: that diagonal is one number
//   PACKED  a texel (a, b, c, d) for each row
//   else    layers: the first and the last row of each block of a longer system. Layers 0 and 1, of (a, b, c, d), or with VECTOR 0 .. 3
//           a, b, c, d of the first and 4 .. 7 of the last
// STRIPED (level 0): only lines stripe, stripe + 2, ... of the grids are systems.
// RIM: `last` may be less than M - 1.
#include "tridiagonal/tridiagonal_block.glsl"

T a[M], b[M], c[M], d[M];

#ifdef BANDS
#include "tridiagonal/tridiagonal_bands.glsl"
#endif

#if defined(BANDS) && defined(VECTOR)
void loadRows() {
  float first = block() * float(M) + 0.5;
  for (int i = 0; i < M; i++) {
    float along = (first + float(i)) * rhs_texel.y;
    a[i] = LINES(SUB, along, rhs_texel);
    b[i] = LINES(MAIN, along, rhs_texel);
    c[i] = LINES(SUPER, along, rhs_texel);
    d[i] = LINES(RHS, along, rhs_texel);
  }
}
#elif defined(BANDS)
#define SPREAD(to, i, v) to[i] = v.x, to[i + 1] = v.y, to[i + 2] = v.z, to[i + 3] = v.w
void loadRows() {
  float first = block() * float(M / 4) + 0.5;
  for (int q = 0; q < M / 4; q++) {
    float along = (first + float(q)) * rhs_texel.x;
    vec4 va = LINES(SUB, along, rhs_texel), vb = LINES(MAIN, along, rhs_texel), vc = LINES(SUPER, along, rhs_texel);
    vec4 vd = LINES(RHS, along, rhs_texel);
    SPREAD(a, 4 * q, va);
    SPREAD(b, 4 * q, vb);
    SPREAD(c, 4 * q, vc);
    SPREAD(d, 4 * q, vd);
  }
}
#else
#define TAKE(i, v) a[i] = v.x, b[i] = v.y, c[i] = v.z, d[i] = v.w
#ifdef PACKED
uniform sampler2D texels;
uniform vec2 texels_texel;
void loadRows() {
  float first = block() * float(M) + 0.5;
  for (int i = 0; i < M; i++) {
    vec4 v = textureLod(texels, PLACE((first + float(i)) * ALONG(texels_texel), across()), 0.);
    TAKE(i, v);
  }
}
#else
uniform sampler2DArray longer;
uniform vec2 longer_texel;
void loadRows() {
  float first = block() * float(M / 2) + 0.5;
  for (int i = 0; i < M; i++) {
    vec2 p = PLACE((first + float(i / 2)) * ALONG(longer_texel), across());
#ifdef VECTOR
    int layer = i % 2 * 4;
    a[i] = textureLod(longer, vec3(p, float(layer)), 0.);
    b[i] = textureLod(longer, vec3(p, float(layer + 1)), 0.);
    c[i] = textureLod(longer, vec3(p, float(layer + 2)), 0.);
    d[i] = textureLod(longer, vec3(p, float(layer + 3)), 0.);
#else
    vec4 v = textureLod(longer, vec3(p, float(i % 2)), 0.);
    TAKE(i, v);
#endif
  }
}
#endif
#endif

void load() {
  loadRows();
  findLast();
}

struct Row {
  T a, b, c, d;
};

// What the last row becomes when those after the first are eliminated downwards: a x_0 + b x_last + c x_(last+1) = d. The elimination
// begins with x_0 = x_0, that is -x_0 + 1 x_0 + 0 x_1 = 0.
Row lastRow() {
  Row r = Row(T(-1.), T(1.), T(0.), T(0.));
  for (int i = 1; i < M; i++)
    UP_TO_LAST(i) {
      T w = a[i] / r.b;
      r = Row(-w * r.a, b[i] - w * r.c, c[i], d[i] - w * r.d);
    }
  return r;
}

// What the first row becomes when those before the last are eliminated upwards: a x_(-1) + b x_0 + c x_last = d.
Row firstRow() {
  Row r = Row(T(0.), T(1.), T(-1.), T(0.));
  for (int i = M - 2; i >= 0; i--)
    WITHIN(i) {
      T w = c[i] / r.b;
      r = Row(a[i], b[i] - w * r.a, -w * r.c, d[i] - w * r.d);
    }
#ifdef RIM
  if (last == 0)
    r = Row(a[0], b[0], c[0], d[0]);
#endif
  return r;
}
