/* A panel of sliders and lists over a window's picture, made of options: their names, units and help are those of --help. By Dear ImGui,
 * where the build has it; otherwise no panel can be made, and the keys do what they do. */
#ifndef DEMOS_COMMON_PANEL_H
#define DEMOS_COMMON_PANEL_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "cli/arguments.h"

typedef struct demoPanel demoPanel;

/* An option that the panel shows. */
typedef struct demoPanelItem {
  const txOption *option; /* a number or a choice, in its target; a choice of -1 is "as the scene says" */
  double own;             /* of a number: what counts while the target is 0, or outside of its bounds */
} demoPanelItem;

/* Numbers of the frame's own, changed in place. */
typedef struct demoPanelView {
  double brush; /* radius, in heights of the picture */
  bool holds;   /* the range of the colours is this one */
  double range[2];
} demoPanelView;

/* For a window of GLFW whose callbacks have been set and whose OpenGL context is current. `font`: a TrueType file, or NULL. NULL: not built in. */
demoPanel *demoPanelCreate(void *glfw, const char *font, float pixels);
void demoPanelDestroy(demoPanel *panel); /* NULL is allowed, here and below */

bool demoPanelTakesMouse(const demoPanel *panel); /* what happens now is the panel's, not the picture's */
bool demoPanelTakesKeys(const demoPanel *panel);

/* Draws into the window. Returns the item that the user has changed, or -1. */
int demoPanelDraw(demoPanel *panel, const char *title, const demoPanelItem *items, int count, demoPanelView *view);

#ifdef __cplusplus
}
#endif
#endif
