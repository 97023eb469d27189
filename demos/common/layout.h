/* Where things stand in a window: a bar of buttons on top, a panel to the left, lines of text above
 * and below the picture, its colours to the right, plots below or at the right. Areas never
 * overlap, whatever the window's size is; what finds no room is left out, the picture last. */
#ifndef DEMOS_COMMON_LAYOUT_H
#define DEMOS_COMMON_LAYOUT_H

#include <stdbool.h>

#include "common/overlay.h"

/* What asks for room. */
typedef struct demoWants {
  /* the window */
  int width, height;
  /* the height of a line of text */
  int line;
  /* of the bar: how many buttons, and the width of one; 0: there is no bar */
  int buttons, button;
  /* the width of the panel and of the colours with their numbers; 0: there are none */
  int panel, colours;
  /* lines above and below the picture */
  int head, foot;
  /* the height of plots below the picture, or their width beside it; 0: there are none */
  int plots;
  bool plots_right;
  /* of the domain, width / height; the picture `fills` its area whatever that is */
  double aspect;
  bool fills;
} demoWants;

typedef struct demoLayout {
  demoArea bar, panel, head, foot, colours, plots;
  /* the picture, in the middle of what is left */
  demoFrame field;
} demoLayout;

/* The picture keeps at least a quarter of the width and a third of the height: what would leave
 * less is empty. */
demoLayout demoLayoutOf(const demoWants *wants);

/* how many buttons stand in a row of the bar */
int demoLayoutRow(const demoWants *wants);

#endif
