// Chooses the pivot of step k from its candidates, once per vertex, and hands it on with its row. FORCED: the row after the last pivot,
// the second one of a 2 x 2 block, is taken when it is active.
#include "dense/panel_choose.glsl"
#include "include/rect.glsl"

flat out vec4 pivot[1];
flat out vec4 subtract[GROUPS];

float chooseRow() {
#ifdef FORCED
  int row = int(texelFetch(last, ivec2(number.x - 1, height), 0).x) + 1;
  if (row > 0 && first_row + row < matrix.x && texelFetch(last, placeOf(row), 0).z == 0.)
    return float(row);
#endif
  return bestRow();
}

void main() {
  coverRectangle();
  float row = chooseRow();
  ivec2 at = placeOf(max(int(row), 0));
  pivot[0] = pivotOf(row, number.x, texelFetch(column, at, 0));
#define EACH(i, s) subtract[i] = subtractOf(pivot[0], 8 - GROUPS + i, texelFetch(s, at, 0));
  FOR_GROUPS
}
