// Chooses the pivot of step k from its candidates, once per vertex, and hands it on with its row. FORCED: the row after the last pivot,
// the second one of a 2 x 2 block, is taken when it is active and has a pivot.
#include "elimination/panel_choose.glsl"
#include "include/rect.glsl"

flat out vec4 pivot[1];
flat out vec4 subtract[GROUPS];

float chooseRow() {
#ifdef FORCED
  int last = int(recordOf(number.x - 1).x), row = last + 1;
  bool in_block = last >= 0 && (last & 1) == 0 && first_row + row < matrix.x;
  if (in_block && stateOf(row) == 0. && abs(laneOf(groupAt(number.x / 4, placeOf(row)), number.x)) > tolerance)
    return float(row);
#endif
  return bestRow();
}

void main() {
  coverRectangle();
  float row = chooseRow();
  ivec2 at = placeOf(max(int(row), 0));
  pivot[0] = pivotOf(row, number.x, groupAt(number.x / 4, at));
  for (int i = 0; i < GROUPS; i++)
    subtract[i] = subtractOf(pivot[0], FIRST_GROUP + i, groupAt(FIRST_GROUP + i, at));
}
