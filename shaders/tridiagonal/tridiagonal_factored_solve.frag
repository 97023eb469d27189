// The M unknowns of a factored block, as tridiagonal_solve.frag: y_i = inverse_i d_i - lower_i y_(i-1) downwards from x_first, then
// x_i = y_i - ratio_i x_(i+1) upwards from x_last.   WHOLE: the block is a whole system.
#include "tridiagonal/tridiagonal_factored.glsl"

#ifdef VECTOR
layout(location = 0) out vec4 x[M];
#else
layout(location = 0) out vec4 x[M / 4];
#endif

uniform sampler2D inverted, lower, ratio;
uniform vec2 inverted_texel, lower_texel, ratio_texel;

#ifdef WHOLE
#ifdef VECTOR
uniform sampler2DArray corner;
#define CORNER(k) textureLod(corner, vec3(uv, float(k)), 0.)
#else
uniform sampler2D corner;
#endif
void ends(out T x_first, out T x_last) {
  T first, last_one;
  reduced(first, last_one);
#ifdef VECTOR
  x_first = CORNER(0) * first + CORNER(1) * last_one;
  x_last = CORNER(2) * first + CORNER(3) * last_one;
#else
  vec4 v = texel(corner);
  x_first = dot(v.xy, vec2(first, last_one));
  x_last = dot(v.zw, vec2(first, last_one));
#endif
}
#else
#include "tridiagonal/tridiagonal_shorter.glsl"
#endif

#ifdef VECTOR
#define TAKE(to, s, texel)                                                                                             \
  for (int i = 0; i < M; i++)                                                                                          \
    to[i] = PART(s, texel, i);
#else
#define TAKE(to, s, texel)                                                                                             \
  for (int i = 0; i < M / 4; i++) {                                                                                    \
    vec4 v = PART(s, texel, i);                                                                                        \
    to[4 * i] = v.x, to[4 * i + 1] = v.y, to[4 * i + 2] = v.z, to[4 * i + 3] = v.w;                                    \
  }
#endif

void main() {
  load();
  T x_first, x_last, a[M], b[M], c[M];
  ends(x_first, x_last);
  TAKE(a, lower, lower_texel)
  TAKE(b, inverted, inverted_texel)
  TAKE(c, ratio, ratio_texel)
  d[0] = x_first;
  for (int i = 1; i < M - 1; i++)
    d[i] = b[i] * d[i] - a[i] * d[i - 1];
#ifdef RIM
  for (int i = 1; i < M; i++)
    d[i] = i < last ? d[i] : i == last ? x_last : T(0.);
#else
  d[M - 1] = x_last;
#endif
  for (int i = M - 2; i > 0; i--)
    d[i] -= c[i] * d[i + 1];
#ifdef VECTOR
  for (int i = 0; i < M; i++)
    x[i] = d[i];
#else
  for (int i = 0; i < M / 4; i++)
    x[i] = vec4(d[4 * i], d[4 * i + 1], d[4 * i + 2], d[4 * i + 3]);
#endif
}
