// Chooses the pivot of step k, once per vertex, and hands it on with its row: from the candidates, or with DIRECT from the column
// itself, which saves a pass where columns are short. FORCED: the row after the last pivot, the second one of a 2 x 2 block, is taken when
// it is active. PAIR (k even): step k + 1 comes along; its column is brought up to date on the way. GROUPS of the panel are rendered, the
// last ones.
#include "include/choice.glsl"
#include "include/rect.glsl"

uniform sampler2D candidates, second_candidates;
uniform sampler2D own0, own1, own2, own3, own4, own5, own6;
flat out vec4 pivot;            // row or -1, value or 0, number of the step, lane of column k
flat out vec4 subtract[GROUPS]; // what is subtracted from a row, times its multiplier l; JORDAN: the pivot's own row to be
#ifdef PAIR
flat out vec4 second; // the same of step k + 1
flat out vec4 subtract_second[GROUPS];
#endif

float bestRow() {
#ifdef DIRECT
  vec2 best = bestOf(0, 1);
  return best.x < 0. ? -1. : best.y;
#else
  return bestCandidate(candidates).y;
#endif
}

float chooseRow() {
#ifdef FORCED
  int row = int(texelFetch(last, ivec2(search.x - 1, height), 0).x) + 1;
  if (row > 0 && first_row + row < matrix.x && texelFetch(last, placeOf(row), 0).z == 0.)
    return float(row);
#endif
  return bestRow();
}

#ifdef PAIR
float secondRow(vec4 first) {
#ifdef DIRECT
  vec2 best = secondBestOf(0, 1, first, pivot);
  return best.x < 0. ? -1. : best.y;
#else
  return bestCandidate(second_candidates).y;
#endif
}

void setSecond(int i, vec4 row, vec4 v) {
  int g = 8 - GROUPS + i;
  subtract_second[i] = subtractOf(g, afterFirst(g, row, v, subtract[i], pivot), second);
}
#endif

#if GROUPS > 1
#define SET0 SET(0, own0)
#else
#define SET0
#endif
#if GROUPS > 2
#define SET1 SET(1, own1)
#else
#define SET1
#endif
#if GROUPS > 3
#define SET2 SET(2, own2)
#else
#define SET2
#endif
#if GROUPS > 4
#define SET3 SET(3, own3)
#else
#define SET3
#endif
#if GROUPS > 5
#define SET4 SET(4, own4)
#else
#define SET4
#endif
#if GROUPS > 6
#define SET5 SET(5, own5)
#else
#define SET5
#endif
#if GROUPS > 7
#define SET6 SET(6, own6)
#else
#define SET6
#endif
#define SET_ALL SET0 SET1 SET2 SET3 SET4 SET5 SET6 SET(GROUPS - 1, last)

void main() {
  float row = chooseRow();
  ivec2 at = placeOf(max(int(row), 0));
  pivot = pivotOf(row, row < 0. ? 0. : texelFetch(column, at, 0)[search.y], search.x);
#define SET(i, s) subtract[i] = subtractOf(8 - GROUPS + i, texelFetch(s, at, 0), pivot);
  SET_ALL
#ifdef PAIR
  vec4 first = subtract[search.x / 4 + GROUPS - 8];
  row = secondRow(first);
  at = placeOf(max(int(row), 0));
  vec4 v = texelFetch(column, at, 0);
  second = pivotOf(row, row < 0. ? 0. : afterFirst(search.x / 4, v, v, first, pivot)[search.y + 1], search.x + 1);
#undef SET
#define SET(i, s) setSecond(i, texelFetch(s, at, 0), v);
  SET_ALL
#endif
  coverViewport();
}
