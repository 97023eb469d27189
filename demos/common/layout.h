/* Where things stand in a window: a bar of buttons on top, a panel to the left, lines of text
 * above and below the picture, its colours to the right, plots at one of its edges or over it.
 * Areas never overlap, but for plots that have been put over the picture, whatever the window's
 * size is; what finds no room is left out, the picture last, and plots become smaller before. */
#ifndef DEMOS_COMMON_LAYOUT_H
#define DEMOS_COMMON_LAYOUT_H

#include <stdbool.h>

#include "common/overlay.h"

/* Where plots stand. */
typedef enum demoDock {
  DEMO_BELOW,
  DEMO_RIGHT,
  DEMO_ABOVE,
  DEMO_LEFT,
  /* over the picture */
  DEMO_FLOATING,
  DEMO_DOCKS
} demoDock;

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
  /* the width of plots beside the picture, their height elsewhere; both 0: there are none */
  int plots[2];
  demoDock dock;
  /* where floating ones have their middle, in parts of the window */
  double middle[2];
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
