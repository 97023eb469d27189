// Where rows come from after a panel; rows count from the panel's first row. The pivots move to the top, in order; the q-th row of the
// top that was no pivot moves to the slot that the q-th pivot from further below has left. Three rows of the target:
//   0  for pivot t: (its source, its slot or -1, the source of the slot, its value)
//   1  for pivot t: the row of texels with its slot, or -1
//   2  for each row of texels that will be gathered, first those of the top, then that of each slot: the sources of its two rows
//   JORDAN: rows stay. (row or -1, -, -, value); its row of texels or -1; sources: first the pivots' rows, then the rows of texels
//   that hold one, where a pivot's row becomes zero: -1.
#include "elimination/panel.glsl"

uniform ivec3 steps; // done; first row of the target; rows of texels of the top
out vec4 moves;

vec2 pivotOf(int t) {
  vec2 r = recordOf(t);
#ifdef JORDAN
  return r.y == 0. ? vec2(-1., 0.) : r;
#else
  return r;
#endif
}

bool isPivot(int row) { return stateOf(row) > 0.; }

#ifdef JORDAN
float sourceOf(float row) { return isPivot(int(row)) ? -1. : row; }
#else
// The q-th row of the top that is no pivot. No way out of the loops: their fetches need not wait for each other.
float displaced(int q) {
  int found = 0;
  for (int row = 0; row < steps.x; row++) {
    bool stays = !isPivot(row);
    found = stays && q == 0 ? row : found;
    q -= int(stays);
  }
  return float(found);
}

float sourceOf(float row) {
  if (row < float(steps.x))
    return pivotOf(int(row)).x;
  int from_below = 0, q = -1;
  for (int t = 0; t < steps.x; t++) {
    float from = pivotOf(t).x;
    q = from == row ? from_below : q;
    from_below += int(from >= float(steps.x));
  }
  return q < 0 ? row : displaced(q);
}
#endif

// (row or source, slot): of pivot t, or of a row that the panel has not reached.
vec2 slotOf(int t) {
#ifdef JORDAN
  return vec2(t < steps.x ? pivotOf(t).x : -1.);
#else
  float source = sourceOf(float(t));
  return vec2(source, t < steps.x && source >= float(steps.x) ? source : -1.);
#endif
}

vec4 sourcesOf(int i) {
  if (i < steps.z)
    return vec4(slotOf(2 * i).x, slotOf(2 * i + 1).x, 0., 0.);
  float slot = slotOf(i - steps.z).y, first = 2. * floor(slot / 2.);
  return slot < 0. ? vec4(-1.) : vec4(sourceOf(first), sourceOf(first + 1.), 0., 0.);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy) - ivec2(0, steps.y);
  if (p.y == 2) {
    moves = sourcesOf(p.x);
    return;
  }
  vec2 slot = slotOf(p.x);
  if (p.y == 1)
    moves = vec4(slot.y < 0. ? -1. : floor(slot.y / 2.));
  else
    moves = vec4(slot, slot.y < 0. ? -1. : sourceOf(slot.y), p.x < steps.x ? pivotOf(p.x).y : 0.);
}
