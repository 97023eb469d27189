// What a reduction is made of, baked in by the caller (src/vector/reduce.c):
//   TERM(p)        a vec4 made of the sources at texture coordinate p: partial results of the four lanes, or of four quantities
//   COMBINE(a, b)  joins two of them
#include "include/border.glsl"
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform sampler2D x, y, z, w;
uniform vec2 size; // of the sources, in texels

#ifndef TERM
#define TERM(p) at(x, p)
#endif
// Beyond the edge a sum reads zeros, another combination the edge once more; WITHIN: nobody reads there.
#if defined COMBINE || defined WITHIN
#define at(s, p) textureLod(s, p, 0.)
#else
#define at(s, p) bordered(s, p)
#endif
#ifndef COMBINE
#define COMBINE(a, b) ((a) + (b))
#endif

vec4 squared(vec4 v) { return v * v; }

// The texel that p falls on (clamped to the edge), and whether each of its lanes holds an element.
vec2 texelOf(vec2 p) { return min(floor(p * size), size - 1.); }
bvec4 filled(vec2 t) {
  return lessThan(4. * t.x + vec4(0., 1., 2., 3.), vec4(t.y == extent.y ? extent.z : extent.x));
}

// The lanes of x at p; padding reads as `neutral`.
vec4 lanes(vec2 p, float neutral) { return mix(vec4(neutral), at(x, p), filled(texelOf(p))); }
#define infinity uintBitsToFloat(0x7f800000u)

// min and max through which a NaN survives. Its bits are looked at: GLSL's own leave NaN open, and a compiler may take
// `b < a || b != b ? b : a` for them.
bvec4 isNaN4(vec4 v) { return greaterThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x7f800000u)); }
vec4 keepNaN(vec4 result, vec4 a, vec4 b) { return mix(mix(result, b, isNaN4(b)), a, isNaN4(a)); }
vec4 smaller(vec4 a, vec4 b) { return keepNaN(min(a, b), a, b); }
vec4 larger(vec4 a, vec4 b) { return keepNaN(max(a, b), a, b); }
float smallestOf(vec4 v) {
  vec4 two = smaller(v, v.zwxy);
  return smaller(two, two.yxwz).x;
}
float largestOf(vec4 v) {
  vec4 two = larger(v, v.zwxy);
  return larger(two, two.yxwz).x;
}

// Candidates of an argmax: (value, row, column, -). The larger magnitude wins (NaN is the largest), then the smaller index.
vec4 better(vec4 a, vec4 b) {
  bool earlier = b.y < a.y || (b.y == a.y && b.z < a.z);
  bool a_nan = a.x != a.x, b_nan = b.x != b.x;
  if (a_nan || b_nan)
    return b_nan && (!a_nan || earlier) ? b : a;
  return abs(b.x) > abs(a.x) || (abs(b.x) == abs(a.x) && earlier) ? b : a;
}
vec4 candidate(vec2 p) {
  vec4 v = at(x, p); // padding is zero and never before an element
  vec2 t = texelOf(p);
  vec4 a = better(vec4(v.x, t.y, 4. * t.x, 0.), vec4(v.y, t.y, 4. * t.x + 1., 0.));
  vec4 b = better(vec4(v.z, t.y, 4. * t.x + 2., 0.), vec4(v.w, t.y, 4. * t.x + 3., 0.));
  return better(a, b);
}

// The products of a conjugate gradient step, (p.q, r.r, q.Mq, r.Mr): M = 1, or a diagonal
vec4 stepProducts(vec4 p, vec4 r, vec4 q) { return vec4(dot(p, q), dot(r, r), dot(q, q), dot(r, r)); }
vec4 stepProducts(vec4 p, vec4 r, vec4 q, vec4 m) { return vec4(dot(p, q), dot(r, r), dot(q, m * q), dot(r, m * r)); }
