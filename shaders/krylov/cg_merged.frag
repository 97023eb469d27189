// One step of conjugate gradients in a single pass (predict and recompute: one reduction an iteration):
//   x <- x + alpha p,  r <- r - alpha q,  p <- M r + beta p,   M = 1, or with DIAGONAL a diagonal matrix
// for one vector, or for GROUPS multivectors whose lanes have scalars of their own.
#include "include/pass.glsl"

#ifdef FIVE // q0 is not there: it is computed here once more
#include "krylov/cg_stencil.glsl"
#endif

uniform sampler2D x0, r0, p0, q0, x1, r1, p1, q1, inverted;
flat in vec4 alpha[GROUPS], beta[GROUPS], live[GROUPS];
layout(location = 0) out vec4 next[3 * GROUPS]; // x, r, p

vec4 preconditioned(vec4 r) {
#ifdef DIAGONAL
  return texel(inverted) * r;
#else
  return r;
#endif
}

// A p of the texel, whose p is known
vec4 imageOf(sampler2D p, sampler2D q, vec4 direction) {
#ifdef FIVE
  return image(direction, besides(p, uv, direction), stacked(p, uv, direction));
#else
  return texel(q);
#endif
}

#define STEP(g, x, r, p, q)                                                                                            \
  {                                                                                                                    \
    bvec4 going = greaterThan(live[g], vec4(0.)); /* a select, because 0 * NaN would not keep x */                     \
    vec4 direction = texel(p), residual = texel(r), r_next = residual - alpha[g] * imageOf(p, q, direction), solution = texel(x);      \
    next[3 * g] = mix(solution, solution + alpha[g] * direction, going);                                               \
    next[3 * g + 1] = mix(residual, r_next, going);                                                                    \
    next[3 * g + 2] = mix(direction, preconditioned(r_next) + beta[g] * direction, going);                             \
  }

void main() {
  STEP(0, x0, r0, p0, q0)
#if GROUPS > 1
  STEP(1, x1, r1, p1, q1)
#endif
}
