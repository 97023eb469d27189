// One smoothing of sqrt(-lap) u (src/sim/evolution_root.c): weights 1 4 6 4 1 over 16 of cells `spacing` apart, along one axis; with a second output
// also  sum <- scale sum - weight smooth.
//   UP  along y   NEAR  along x, cells less than a texel apart   otherwise along x: software devices run all sides of a branch
#include "sim/evolution.glsl"
uniform sampler2D sum;
uniform vec4 taps; // spacing along x, along y, scale, weight

#ifdef PERIODIC_X
#define AROUND_X true
#else
#define AROUND_X false
#endif
#ifdef PERIODIC_Y
#define AROUND_Y true
#else
#define AROUND_Y false
#endif

int wrapOf(int i, int n) { return i - n * int(floor(float(i) / float(n))); } // % of negative numbers is undefined

int foldOf(int i, int n, bool periodic) { // beyond the edges, however far
  int k = wrapOf(i, periodic ? n : 2 * n);
  return k < n ? k : 2 * n - 1 - k;
}

float value(int i) { return texelFetch(now_u, ivec2(i >> 2, int(gl_FragCoord.y)), 0)[i & 3]; }

vec4 tap(int k) {
  ivec2 size = ivec2(grid.xy), at = ivec2(gl_FragCoord.xy);
  int i = k * int(taps.x);
#ifdef UP
  return texelFetch(now_u, ivec2(at.x, foldOf(at.y + k * int(taps.y), size.y, AROUND_Y)), 0);
#elif defined NEAR && !defined PARTIAL
  return u(i, 0);
#elif !defined PARTIAL
  int there = at.x + i / 4, texels = size.x / 4;
  vec4 texel = texelFetch(now_u, ivec2(foldOf(there, texels, AROUND_X), at.y), 0);
  return AROUND_X || wrapOf(there, 2 * texels) < texels ? texel : texel.wzyx;
#else
  i += 4 * at.x;
  return vec4(value(foldOf(i, size.x, AROUND_X)), value(foldOf(i + 1, size.x, AROUND_X)),
              value(foldOf(i + 2, size.x, AROUND_X)), value(foldOf(i + 3, size.x, AROUND_X)));
#endif
}

vec4 smoothed() { return (tap(-2) + tap(2) + 4. * (tap(-1) + tap(1)) + 6. * tap(0)) / 16.; }

#if OUTPUTS == 1
vec4 kernel() { return smoothed(); }
#else
void kernel(out vec4 y[OUTPUTS]) {
  y[0] = smoothed();
  y[1] = taps.z * texel(sum) - taps.w * y[0];
}
#endif
