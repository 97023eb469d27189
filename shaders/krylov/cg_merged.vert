// The scalars of a step of merged CG, from its products in the history (shaders/krylov/iteration.vert): pq = p.q, rr = r.r, qq = q.Mq and
// rz = r.Mr, where M is the preconditioner's diagonal. alpha = rz / pq, and the next rz, needed for beta, is predicted:
//   (r - alpha q).M(r - alpha q) = rz - 2 alpha r.Mq + alpha^2 qq = alpha^2 qq - rz,   for r.Mq = p.q
//   MULTIVECTOR  GROUPS multivectors (src/matrix/multivector.h), each lane with its own scalars; row SUMS g of the history and the
//            following ones hold pq, rr, qq and, with DIAGONAL, rz of multivector g; norms holds b.b and rr of x_0.
//            Otherwise one vector, whose texel in the history is (pq, rr, qq, rz)
// A lane is live until its iteration has converged, diverged or broken down: the step then changes nothing.
#include "include/rect.glsl"
#include "include/scalars.glsl"

uniform sampler2D history, norms;
uniform ivec2 slot;              // columns of this iteration and of the next
uniform vec3 limit;              // -, absolute^2, divergence^2
uniform vec4 tolerance[GROUPS]; // squares
flat out vec4 alpha[GROUPS], beta[GROUPS], live[GROUPS];

#ifdef PARTIAL // the products are not in the history yet
#include "krylov/cg_sums.glsl"
#endif

vec4 product(int row) { return texelFetch(history, ivec2(slot.x, row), 0); }

void main() {
  coverRectangle();
  for (int g = 0; g < GROUPS; g++) {
#ifdef MULTIVECTOR
    vec4 bb = texelFetch(norms, ivec2(0, g), 0), rr0 = texelFetch(norms, ivec2(1, g), 0);
    vec4 pq = product(SUMS * g), rr = product(SUMS * g + 1), qq = product(SUMS * g + 2);
#ifdef DIAGONAL
    vec4 rz = product(SUMS * g + 3);
#else
    vec4 rz = rr;
#endif
#else
#ifdef PARTIAL
    vec4 now = summed(sums_slot);
#else
    vec4 now = product(0);
#endif
    vec4 norm = txSampleScalars(), bb = norm.xxxx, rr0 = norm.yyyy;
    vec4 pq = now.xxxx, rr = now.yyyy, qq = now.zzzz, rz = now.wwww;
#endif
#ifdef FREE // a fixed number of iterations; beyond 1e-10 the recursion knows nothing more about x
    bvec4 undecided = greaterThan(rr, 1e-20 * rr0), bounded = bvec4(true);
#else
    bvec4 undecided = greaterThan(rr, max(tolerance[g] * bb, limit.y)), bounded = lessThanEqual(rr, limit.z * rr0);
#endif
    vec4 on = vec4(undecided) * vec4(bounded) * vec4(greaterThan(pq, vec4(0.))) * vec4(greaterThan(rz, vec4(0.)));
    bvec4 going = greaterThan(on, vec4(0.));
    live[g] = on;
    alpha[g] = mix(vec4(0.), rz / pq, going);
    beta[g] = mix(vec4(0.), max(alpha[g] * alpha[g] * qq - rz, 0.) / rz, going);
  }
}
