// What stands before a clKernel's source (src/vector/kernel.c): its inputs' neighbours and the main function that calls it.
// Baked in: OUTPUTS, BORDERED where all sources are TX_ZERO, and KEEPS_ZERO where the padding needs no mask; without RIM there is none.
#include "include/border.glsl"
#include "include/layout.glsl"
#include "include/pass.glsl"

uniform vec2 txTexel; // one texel of the outputs and of the inputs that agree with them

// The texel d away from this one; zero outside. Without RIM it is not so far.
#ifdef RIM
vec4 texel(sampler2D s, ivec2 d) { return bordered(s, uv + vec2(d) * txTexel); }
#else
vec4 texel(sampler2D s, ivec2 d) { return textureLod(s, uv + vec2(d) * txTexel, 0.); }
#endif

// The four elements dx columns and dy rows away from this texel's, in the grid layout; zero outside.
vec4 neighbours(sampler2D s, int dx, int dy) {
  int first = dx >> 2, shift = dx & 3; // dx = 4 first + shift
  vec4 a = texel(s, ivec2(first, dy));
  if (shift == 0)
    return a;
  vec4 b = texel(s, ivec2(first + 1, dy));
  return shift == 1 ? vec4(a.yzw, b.x) : shift == 2 ? vec4(a.zw, b.xy) : vec4(a.w, b.xyz);
}

#if defined GL_ES && defined BORDERED // whatever a kernel's own text samples is zero outside, too
#define textureLod(s, p, lod) bordered(s, p)
#define texture(s, p) bordered(s, p)
#endif

out vec4 txOutput[OUTPUTS];
#ifdef INVARIANT // double-float arithmetic needs it
invariant txOutput;
#endif

#if OUTPUTS == 1
vec4 kernel();
void txKernel(out vec4 y[OUTPUTS]) { y[0] = kernel(); }
#else
void kernel(out vec4 y[OUTPUTS]);
#define txKernel kernel
#endif

void main() {
  vec4 y[OUTPUTS];
  txKernel(y);
  for (int i = 0; i < OUTPUTS; i++) {
#if defined KEEPS_ZERO || !defined RIM
    txOutput[i] = y[i];
#else
    txOutput[i] = masked(y[i]);
#endif
  }
}
