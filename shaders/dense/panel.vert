// Chooses the pivot of step k from its candidates, once per vertex, and hands it on with its row. FORCED: the row after the last pivot,
// the second one of a 2 x 2 block, is taken when it is active. GROUPS of the panel are rendered, the last ones.
#include "dense/panel.glsl"
#include "include/rect.glsl"

uniform sampler2D column, last; // the groups with column k and with the states
uniform sampler2D own0, own1, own2, own3, own4, own5, own6;
uniform ivec2 number;           // k, how many candidates
uniform float tolerance;        // pivots up to it count as zero
flat out vec4 pivot;            // row or -1, value or 0, number of the step, lane of column k
flat out vec4 subtract[GROUPS]; // what is subtracted from a row, times its multiplier l; JORDAN: the pivot's own row to be

// The row with the largest measure, the first one where several are; -1: none is active.
float bestRow() {
  vec2 best = vec2(-1.);
  for (int c = 0; c < number.y; c += CANDIDATES_AT_ONCE) {
    vec2 v[CANDIDATES_AT_ONCE];
    for (int i = 0; i < CANDIDATES_AT_ONCE; i++)
      v[i] = texelFetch(last, ivec2(32 + c + i, height), 0).xy;
    for (int i = 0; i < CANDIDATES_AT_ONCE; i++)
      best = v[i].x > best.x || (v[i].x == best.x && v[i].y < best.y) ? v[i] : best;
  }
  return best.x < 0. ? -1. : best.y;
}

float chooseRow() {
#ifdef FORCED
  int row = int(texelFetch(last, ivec2(number.x - 1, height), 0).x) + 1;
  if (row > 0 && first_row + row < matrix.x && texelFetch(last, placeOf(row), 0).z == 0.)
    return float(row);
#endif
  return bestRow();
}

// Of group g, made of the pivot's row. Zeros behind the panel's columns.
vec4 subtractOf(int g, vec4 row) {
  vec4 j = 4. * float(g) + vec4(0., 1., 2., 3.), in_panel = vec4(lessThan(j, vec4(30.)));
#ifdef JORDAN
  return pivot.y == 0. ? vec4(0.) : in_panel * mix(row, vec4(1.), equal(j, vec4(pivot.z))) / pivot.y;
#else
  return in_panel * row * vec4(greaterThan(j, vec4(pivot.z)));
#endif
}

void main() {
  float row = chooseRow();
  ivec2 at = placeOf(max(int(row), 0));
  float value = row < 0. ? 0. : texelFetch(column, at, 0)[number.x & 3];
  pivot = vec4(row, abs(value) > tolerance ? value : 0., float(number.x), float(number.x & 3));
#define SUBTRACT(i, s) subtract[i] = subtractOf(8 - GROUPS + i, texelFetch(s, at, 0))
#if GROUPS > 1
  SUBTRACT(0, own0);
#endif
#if GROUPS > 2
  SUBTRACT(1, own1);
#endif
#if GROUPS > 3
  SUBTRACT(2, own2);
#endif
#if GROUPS > 4
  SUBTRACT(3, own3);
#endif
#if GROUPS > 5
  SUBTRACT(4, own4);
#endif
#if GROUPS > 6
  SUBTRACT(5, own5);
#endif
#if GROUPS > 7
  SUBTRACT(6, own6);
#endif
  SUBTRACT(GROUPS - 1, last);
  coverViewport();
}
