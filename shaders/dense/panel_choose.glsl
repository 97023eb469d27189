// The choice among the candidates for the pivot of step k.
#include "dense/panel_pivot.glsl"

uniform ivec2 number; // k, how many candidates

// The larger measure, then the smaller row, of (measure, row).
vec2 better(vec2 p, vec2 q) { return q.x > p.x || (q.x == p.x && q.y < p.y) ? q : p; }

// The row with the largest measure, the first one where several are; -1: none is active.
float bestRow() {
  vec2 best = vec2(-1.);
  for (int c = 0; c < number.y; c += CANDIDATES_AT_ONCE) {
    vec2 v[CANDIDATES_AT_ONCE];
    for (int i = 0; i < CANDIDATES_AT_ONCE; i++)
      v[i] = texelFetch(last, ivec2(32 + c + i, height), 0).xy;
    for (int i = 0; i < CANDIDATES_AT_ONCE; i++)
      best = better(best, v[i]);
  }
  return best.x < 0. ? -1. : best.y;
}
