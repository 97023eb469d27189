// A rectangle pass of an iterative solver: the step's scalars come from the history, one texel an iteration, are worked
// out once per vertex and handed on as `scalar`. No fragment and no CPU ever sees them.
//   history  row 0, column k:           row 1:
//     merged CG          (pq, rr, qq, rz)     its scalars: shaders/krylov/cg_merged.vert
//     preconditioned CG  (rz, rr, -, -)   (pq, -, -, -)
//     BiCGStab           (sv, rr, sr, -)  (ts, tt, st', -)   s: the shadow residual, t' = t
//     GMRES              (ww, rr, c, s)
//     stationary         (-, rr, -, -)
//   scalars  bb = b.b and rr_0; in GMRES w.w
//   live     false once the iteration has converged, diverged or broken down: the step then changes nothing
#include "include/rect.glsl"
#include "include/scalars.glsl"

uniform sampler2D history;
uniform ivec2 slot; // columns of this iteration and of the next
uniform vec3 limit; // tolerance^2, absolute^2, divergence^2

bool undecided(float rr) {
  vec4 s = txSampleScalars();
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
  coverRectangle();
  vec4 now = texelFetch(history, ivec2(slot.x, 0), 0);
  float rr = now.y;
#if defined(STEP) // alpha = rz / pq
  float pq = texelFetch(history, ivec2(slot.x, 1), 0).x;
  bool live = undecided(rr) && pq > 0. && now.x > 0.;
  scalar = vec4(live ? now.x / pq : 0., 0., live, 0.);
#elif defined(DIRECTION) // beta = rz' / rz
  float pq = texelFetch(history, ivec2(slot.x, 1), 0).x;
  bool live = undecided(rr) && pq > 0. && now.x > 0.;
  scalar = vec4(0., live ? texelFetch(history, ivec2(slot.y, 0), 0).x / now.x : 0., live, 0.);
#elif defined(HALF) || defined(STABILIZE) // alpha = sr / sv, omega = ts / tt, beta = -st / sv (because s.r' = -omega st)
  bool live = undecided(rr) && now.z / rr * (now.z / txSampleScalars().y) > 1e-15 && abs(now.z) < 1e15 * abs(now.x);
  vec4 t = texelFetch(history, ivec2(slot.x, 1), 0);
#ifdef STABILIZE
  live = live && t.y < 3e38 && abs(t.x) < 3e38 && abs(t.z) < 3e38; // false for NaN
#endif
  scalar = live ? vec4(now.z / now.x, t.y > 0. ? t.x / t.y : 0., 1., -t.z / now.x) : vec4(0.);
#elif defined(CYCLE) // the first vector of a cycle, from r itself
  scalar = vec4(rr, rr, undecided(rr), 0.);
#elif defined(ARNOLDI)
  scalar = vec4(rr, txSampleScalars().z, undecided(rr), 0.);
#else // FIXED_POINT iterations
  scalar = vec4(0., 0., undecided(rr), 0.);
#endif
}
