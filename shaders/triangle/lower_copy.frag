// A lower triangle from one storage into another: C <- factor A. What the source is, triangle/lower.glsl says; the target holds ROWS x ROWS
// entries a texel, TARGET_FOLDED: packed. SYMMETRIC: what is above the diagonal, too.
// SCALED: C <- S A S with S diagonal; UNSCALED: C <- S^-1 A. BLOCKS: both hold 2 x 2 entries, which stay together.
#include "triangle/lower.glsl"

uniform sampler2D lower;
uniform float factor;
uniform int side; // of the target, in texels
#if defined(SCALED) || defined(UNSCALED)
uniform sampler2D scale; // texel k holds s_2k, s_2k+1

float scaleOf(int i) {
  vec2 v = texelFetch(scale, ivec2(i / 2, 0), 0).xy;
  return (i & 1) == 0 ? v.x : v.y;
}
#endif
out vec4 result;

#ifdef SCALED
// v s t. Numbers below 2^-126, of which devices may make zeros, are integers times 2^-149.
vec4 scaled(vec4 v, vec4 s, vec4 t) {
  ivec4 bits = floatBitsToInt(v), magnitude = bits & 0x7fffffff;
  vec4 whole = vec4(magnitude) * (1. - 2. * vec4(lessThan(bits, ivec4(0))));
  const float half_of_it = 5.293955920339377e-23; // 2^-74
  return mix(v * s * t, whole * half_of_it * s * (0.5 * half_of_it * t), lessThan(magnitude, ivec4(1 << 23)));
}
#endif

#ifdef TARGET_FOLDED
bool isTurned(ivec2 p) { return (side & 1) == 0 ? p.x >= p.y : p.x > p.y; }

ivec2 texelOfTarget(ivec2 p) {
  int odd = side & 1;
  return isTurned(p) ? ivec2(side - 1 - p.y, side - 1 + odd - p.x) : ivec2(p.y - 1 + odd, p.x);
}
#else
bool isTurned(ivec2 p) { return false; }

ivec2 texelOfTarget(ivec2 p) { return p.yx; }
#endif

float entryOf(ivec2 e) {
#ifdef SYMMETRIC
  e = e.y <= e.x ? e : e.yx;
#endif
  if (e.y > e.x || e.x >= triangle.y)
    return 0.;
#ifdef SCALED
  return scaled(vec4(entryOfLower(lower, e)), vec4(scaleOf(e.x)), vec4(scaleOf(e.y))).x;
#elif defined(UNSCALED)
  return factor * entryOfLower(lower, e) / scaleOf(e.x);
#else
  return factor * entryOfLower(lower, e);
#endif
}

#ifdef BLOCKS
#if defined(SCALED) || defined(UNSCALED)
vec2 pairOfScale(int k) { return texelFetch(scale, ivec2(k, 0), 0).xy; }
#endif

// Texel (i, j); what A holds above the diagonal does not count.
vec4 blockOf(ivec2 e) {
  vec4 v = vec4(0.);
  if (e.y > e.x) {
#ifdef SYMMETRIC
    return factor * texelOfLower(lower, e.yx).rbga;
#else
    return v;
#endif
  }
#ifdef SCALED
  v = scaled(texelOfLower(lower, e), pairOfScale(e.x).xxyy, pairOfScale(e.y).xyxy);
#else
  v = factor * texelOfLower(lower, e);
#endif
  if (e.x == e.y)
#ifdef SYMMETRIC
    v.g = v.b;
#else
    v.g = 0.;
#endif
#ifdef UNSCALED
  v /= pairOfScale(e.x).xxyy;
#endif
  return v;
}
#endif

void main() {
#ifdef BLOCKS
  ivec2 q = ivec2(gl_FragCoord.xy);
  result = blockOf(texelOfTarget(q));
  result = isTurned(q) ? result.abgr : result;
  return;
#endif
  ivec2 p = ivec2(gl_FragCoord.xy), e = ROWS * texelOfTarget(p);
#if ROWS == 1
  result = vec4(entryOf(e));
#else
  result = vec4(entryOf(e), entryOf(e + ivec2(0, 1)), entryOf(e + ivec2(1, 0)), entryOf(e + 1));
  result = isTurned(p) ? result.abgr : result;
#endif
}
