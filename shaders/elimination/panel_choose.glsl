// The choice among the candidates for the pivot of step k.
#include "elimination/panel_pivot.glsl"

uniform ivec2 number; // k, how many candidates

// The larger measure, then the smaller row, of (measure, row).
vec2 better(vec2 p, vec2 q) { return q.x > p.x || (q.x == p.x && q.y < p.y) ? q : p; }

// The row that (measure, row) stands for, -1: none is active. Without states a measure of zero may be that of any row: then it is the
// first one that is active, and not `taken`.
float rowOf(vec2 best, float taken) {
#ifdef WITH_STATES
  return best.x <= -1. ? -1. : best.y;
#else
  int end = best.x > 0. ? 0 : matrix.x - first_row;
  float found = best.x > 0. ? best.y : -1.;
  for (int row = 0; row < end && found < 0.; row++)
    if (stateOf(row) == 0. && float(row) != taken)
      found = float(row);
  return found;
#endif
}

// The best of the candidates; of each fourth one on its own, so that comparisons need not wait for each other.
float bestRow() {
  vec2 best[4] = vec2[4](vec2(-1.), vec2(-1.), vec2(-1.), vec2(-1.));
  for (int c = 0; c < number.y; c += CANDIDATES_AT_ONCE) {
    vec2 v[CANDIDATES_AT_ONCE];
    for (int i = 0; i < CANDIDATES_AT_ONCE; i++)
      v[i] = groupAt(7, placeOfRecord(32 + c + i)).xy;
    for (int i = 0; i < CANDIDATES_AT_ONCE; i++)
      best[i & 3] = better(best[i & 3], v[i]);
  }
  return rowOf(better(better(best[0], best[1]), better(best[2], best[3])), -1.);
}
