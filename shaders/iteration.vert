// A rectangle pass of an iterative solver: the step's scalars come from the history, one texel an iteration, are worked
// out once per vertex and handed on as `scalar`. No fragment and no CPU ever sees them.
//   history  row 0, column k: (pq, rr, rq, qq) in the merged CG; (rz, rr, -, -) in the others
//            row 1, column k: (pq, -, -, -) in the preconditioned CG
//   scalars  bb = b.b and rr_0
//   live     false once the iteration has converged, diverged or broken down: the step then changes nothing
#include "include/rect.glsl"
#include "include/scalars.glsl"

uniform sampler2D history;
uniform ivec2 slot; // columns of this iteration and of the next
uniform vec3 limit; // tolerance^2, absolute^2, divergence^2

bool undecided(float rr) {
  vec4 s = sampleScalars();
#ifdef FREE // a fixed number of iterations; beyond 1e-10 the recursion knows nothing more about x
#ifdef FIXED_POINT
  return true;
#else
  return rr > 1e-20 * s.y;
#endif
#else
  return rr > max(limit.x * s.x, limit.y) && rr <= limit.z * s.y;
#endif
}

void main() {
  coverViewport();
  vec4 now = texelFetch(history, ivec2(slot.x, 0), 0);
  float rr = now.y;
#if defined(MERGED) // alpha = rr / pq; the next rr is predicted: |r - alpha q|^2 = rr - 2 alpha rq + alpha^2 qq
  float pq = now.x;
  bool live = undecided(rr) && pq > 0.;
  float alpha = live ? rr / pq : 0.;
  float next = max(rr - 2. * alpha * now.z + alpha * alpha * now.w, 0.);
  scalar = vec4(alpha, live ? next / rr : 0., live, 0.);
#elif defined(STEP) // alpha = rz / pq
  float pq = texelFetch(history, ivec2(slot.x, 1), 0).x;
  bool live = undecided(rr) && pq > 0.;
  scalar = vec4(live ? now.x / pq : 0., 0., live, 0.);
#elif defined(DIRECTION) // beta = rz' / rz
  float pq = texelFetch(history, ivec2(slot.x, 1), 0).x;
  bool live = undecided(rr) && pq > 0.;
  scalar = vec4(0., live ? texelFetch(history, ivec2(slot.y, 0), 0).x / now.x : 0., live, 0.);
#else // FIXED_POINT iterations
  scalar = vec4(0., 0., undecided(rr), 0.);
#endif
}
