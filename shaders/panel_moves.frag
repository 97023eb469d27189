// Where rows come from after a panel; rows count from the panel's first row. Texel t of the first row of the target: (source of row t,
// slot, source of the slot, value of pivot t). The pivots of the panel move to its top, in order; the q-th row of the top that was
// no pivot moves to the slot that the q-th pivot from further below has left; slot -1: the pivot came from the top.
// Texel t of the second row: (row of texels of that slot or -1, the sources of the two rows in it).
//   JORDAN: rows stay. (pivot's row or -1, -, -, value) and (its row of texels or -1, sources of the two rows in it): -1 where the
//   row is a pivot, which will be cleared.
#include "include/panel.glsl"

uniform sampler2D even, odd;
uniform ivec3 steps; // done; their parity; first row of the target
out vec4 moves;

#define FETCH(parity, p) ((parity) == 0 ? texelFetch(even, p, 0) : texelFetch(odd, p, 0))

#ifdef JORDAN
vec2 recordOf(int t) {
  vec2 r = texelFetch(even, ivec2(t, height), 0).xy;
  return r.y == 0. ? vec2(-1., 0.) : r;
}

float sourceOf(float row) {
  float state = texelFetch(even, ivec2(columns, int(row) / 4), 0)[int(row) % 4];
  return state > 0. ? -1. : row;
}
#else
vec2 recordOf(int t) { return FETCH((t + 1) & 1, ivec2(t + 1, height)).xy; }

bool isPivot(int row) { return FETCH(steps.y, ivec2(columns, row / 4))[row % 4] > 0.; }

// The q-th row of the top that is no pivot
float displaced(int q) {
  int row = 0;
  for (; row < steps.x; row++)
    if (!isPivot(row) && q-- == 0)
      break;
  return float(row);
}

float sourceOf(float row) {
  if (row < float(steps.x))
    return recordOf(int(row)).x;
  int q = 0;
  for (int t = 0; t < steps.x; t++) {
    float from = recordOf(t).x;
    if (from == row)
      return displaced(q);
    q += from >= float(steps.x) ? 1 : 0;
  }
  return row;
}
#endif

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  bool done = p.x < steps.x, second = p.y > steps.z;
  vec2 record = done ? recordOf(p.x) : vec2(-1., 0.);
#ifdef JORDAN
  float slot = record.x;
  moves = vec4(slot, -1., -1., record.y);
#else
  float slot = record.x >= float(steps.x) ? record.x : -1.;
  if (!second)
    moves = vec4(sourceOf(float(p.x)), slot, slot < 0. ? -1. : sourceOf(slot), record.y);
#endif
  if (second) {
    float texel = floor(slot / 2.);
    moves = slot < 0. ? vec4(-1.) : vec4(texel, sourceOf(2. * texel), sourceOf(2. * texel + 1.), 0.);
  }
}
