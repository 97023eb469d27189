// Products of 2 x 2 blocks: the sum over k of (a b), a from a row of op(A), b from a column of op(B). A fragment computes WIDE x HIGH texels of C, each in a target of its own: target j + WIDE i holds those that lie i and j
// tiles on. With DIRECT (one texel) the result is finished here: alpha sum + beta C.
#include "dense/dense.glsl"

uniform sampler2D a, b, c;
uniform vec2 inner;          // first k, end
uniform vec4 a_walk, b_walk; // in texture coordinates: xy: one k on, zw: one tile on
uniform vec4 factor;         // alpha, beta, shift of C
noperspective in vec4 at;    // k = 0 in a (xy) and b (zw)

layout(location = 0) out vec4 result[WIDE * HIGH];

// The product of two texels, added to s
#define ADD(s, l, r) s += l.rrbb * r.rgrg; s += l.ggaa * r.baba

#ifdef A_SWAPPED
#define LEFT(v) (v).rbga
#else
#define LEFT(v) v
#endif
#ifdef B_SWAPPED
#define RIGHT(v) (v).rbga
#else
#define RIGHT(v) v
#endif

vec4 sum[WIDE * HIGH];

void addProducts(float k) {
  vec4 left[HIGH], right[WIDE];
  vec2 in_a = at.xy + k * a_walk.xy, in_b = at.zw + k * b_walk.xy;
  for (int i = 0; i < HIGH; i++)
    left[i] = LEFT(textureLod(a, in_a + float(i) * a_walk.zw, 0.));
  for (int j = 0; j < WIDE; j++)
    right[j] = RIGHT(textureLod(b, in_b + float(j) * b_walk.zw, 0.));
  for (int i = 0; i < HIGH; i++)
    for (int j = 0; j < WIDE; j++) {
      ADD(sum[WIDE * i + j], left[i], right[j]);
    }
}

void main() {
  for (int t = 0; t < WIDE * HIGH; t++)
    sum[t] = vec4(0.);
  float k = inner.x;
  for (; k + 3. < inner.y; k += 4.) {
    addProducts(k);
    addProducts(k + 1.);
    addProducts(k + 2.);
    addProducts(k + 3.);
  }
  for (; k < inner.y; k += 1.)
    addProducts(k);
#ifdef DIRECT
  vec4 v = factor.x * sum[0];
#ifdef C
  v += factor.y * texelFetch(c, ivec2(gl_FragCoord.xy) + ivec2(factor.zw), 0);
#endif
  result[0] = maskedBlock(v);
#else
  for (int t = 0; t < WIDE * HIGH; t++)
    result[t] = sum[t];
#endif
}
