// Chooses the pivot of step k, once per vertex, and hands it on with its row: from the candidates, or with DIRECT from the column
// itself, which saves a pass where columns are short. FORCED: the row after the last pivot, the second one of a 2 x 2 block, is taken when
// it is active. GROUPS of the panel are rendered, the last ones.
#include "include/pivot.glsl"
#include "include/rect.glsl"

uniform sampler2D candidates;
uniform sampler2D own0, own1, own2, own3, own4, own5, own6;
flat out vec4 pivot; // row or -1, value or 0, number of the step, lane of column k
flat out vec4 subtract[GROUPS]; // what is subtracted from a row, times its multiplier l; JORDAN: the pivot's own row to be

float bestRow() {
#ifdef DIRECT
  vec2 best = bestOf(0, 1);
#else
  vec2 best = vec2(-1.);
  for (int y = 0; y < search.w; y++)
    for (int x = 0; x < search.z; x++) {
      vec2 c = texelFetch(candidates, ivec2(x, y), 0).xy;
      if (c.x > best.x || (c.x == best.x && c.y < best.y))
        best = c;
    }
#endif
  return best.x < 0. ? -1. : best.y;
}

float chooseRow() {
#ifdef FORCED
  int row = int(texelFetch(last, ivec2(search.x - 1, height), 0).x) + 1;
  if (row > 0 && first_row + row < matrix.x && texelFetch(last, placeOf(row), 0).z == 0.)
    return float(row);
#endif
  return bestRow();
}

// Columns of group g of the panel that lie beyond column k, as a mask; JORDAN: all but column k.
vec4 others(int g) {
  vec4 j = 4. * float(g) + vec4(0., 1., 2., 3.);
#ifdef JORDAN
  vec4 mask = vec4(notEqual(j, vec4(float(search.x))));
#else
  vec4 mask = vec4(greaterThan(j, vec4(float(search.x))));
#endif
  return g == 7 ? mask * vec4(1., 1., 0., 0.) : mask;
}

void setGroup(int i, vec4 row) {
  int g = 8 - GROUPS + i;
  vec4 mask = others(g);
#ifdef JORDAN
  vec4 is_column = g == 7 ? vec4(1., 1., 0., 0.) - mask : 1. - mask;
  subtract[i] = pivot.y == 0. ? vec4(0.) : mix(row * mask, vec4(1.), is_column) / pivot.y;
#else
  subtract[i] = row * mask;
#endif
}

void main() {
  float row = chooseRow();
  ivec2 at = placeOf(max(int(row), 0));
  float value = row < 0. ? 0. : texelFetch(column, at, 0)[search.y];
  pivot = vec4(row, abs(value) > tolerance ? value : 0., float(search.x), float(search.y));
#define SET(i, s) setGroup(i, texelFetch(s, at, 0))
#if GROUPS > 1
  SET(0, own0);
#endif
#if GROUPS > 2
  SET(1, own1);
#endif
#if GROUPS > 3
  SET(2, own2);
#endif
#if GROUPS > 4
  SET(3, own3);
#endif
#if GROUPS > 5
  SET(4, own4);
#endif
#if GROUPS > 6
  SET(5, own5);
#endif
#if GROUPS > 7
  SET(6, own6);
#endif
  SET(GROUPS - 1, last);
  coverViewport();
}
