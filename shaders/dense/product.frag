// Products of 2 x 2 blocks: the sum over k of (a b) with a = row `at.y` of packed A, b = row `at.x` of packed B, both at x = k.
// A fragment computes WIDE x HIGH texels of C, each in a target of its own: target j + WIDE i holds those that lie i and j
// tiles on. With DIRECT (one texel) the result is finished here: alpha sum + beta C.
#include "dense/dense.glsl"

uniform sampler2D a, b, c;
uniform vec3 inner;  // first k, last k, texture coordinates per k; last - first is a multiple of 4
uniform vec2 tile;   // one tile on, in a's and b's coordinates
uniform vec4 factor; // alpha, beta, shift of C
noperspective in vec2 at;
noperspective in vec2 uv;

layout(location = 0) out vec4 result[WIDE * HIGH];

// The product of two texels, added to s
#define ADD(s, l, r) s += l.rrbb * r.rgrg; s += l.ggaa * r.baba

vec4 sum[WIDE * HIGH];

void addProducts(float x) {
  vec4 left[HIGH], right[WIDE];
  for (int i = 0; i < HIGH; i++)
    left[i] = textureLod(a, vec2(x, at.y + float(i) * tile.x), 0.);
  for (int j = 0; j < WIDE; j++)
    right[j] = textureLod(b, vec2(x, at.x + float(j) * tile.y), 0.);
  for (int i = 0; i < HIGH; i++)
    for (int j = 0; j < WIDE; j++) {
      ADD(sum[WIDE * i + j], left[i], right[j]);
    }
}

void main() {
  for (int t = 0; t < WIDE * HIGH; t++)
    sum[t] = vec4(0.);
  for (float k = inner.x; k < inner.y; k += 4.) {
    float x = (k + 0.5) * inner.z;
    addProducts(x);
    addProducts(x + inner.z);
    addProducts(x + 2. * inner.z);
    addProducts(x + 3. * inner.z);
  }
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
