/* A panel of sliders and lists over a window's picture, made of options: their names, units and
 * help are those of --help. By Dear ImGui, where the build has it; otherwise no panel can be made,
 * and the keys do what they do. */
#ifndef DEMOS_COMMON_PANEL_H
#define DEMOS_COMMON_PANEL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "program/arguments.h"

typedef struct demoPanel demoPanel;

/* An option that the panel shows. */
typedef struct demoPanelItem {
  /* a number or a choice, in its target; a choice of -1 is "as the scene says" */
  const txOption *option;
  /* what counts while the target is 0 or outside of its bounds; of a choice, while it is -1 (-1:
   * unknown) */
  double own;
  /* instead of the option's names for them; NULL: none */
  const char *const *choices;
  /* a choice may be left to the scene: -1 */
  bool scenes;
} demoPanelItem;

/* What the user wants of the text that has been typed. */
typedef enum demoPanelAct {
  DEMO_TYPE,
  DEMO_RUN,
  DEMO_RESTART,
  DEMO_REVERT,
  DEMO_KEEP
} demoPanelAct;

/* What is the frame's own, changed in place. */
typedef struct demoPanelView {
  /* the panel of numbers is shown: */
  bool numbers;
  /* radius, in heights of the picture */
  double brush;
  /* the range of the colours is this one */
  bool holds;
  double range[2];
  /* the editor is shown: */
  bool edits;
  /* of `room` bytes */
  char *text;
  size_t room;
  /* <- something has been typed */
  bool *edited;
  /* what is wrong with the text; empty: nothing */
  const char *complaint;
  /* where: line and column, from 1; column 0: all of the line */
  const int *place;
  /* <- */
  demoPanelAct act;
  /* <- the item with a number that is being dragged; it stays -1 where none is */
  int held;
  /* <- where it is */
  double number;
} demoPanelView;

/* For a window of GLFW whose callbacks have been set and whose OpenGL context is current. `font`: a
 * TrueType file, or NULL. NULL: not built in. */
demoPanel *demoPanelCreate(void *glfw, const char *font, float pixels);
/* NULL is allowed, here and below */
void demoPanelDestroy(demoPanel *panel);

/* what happens now is the panel's, not the picture's */
bool demoPanelTakesMouse(const demoPanel *panel);
bool demoPanelTakesKeys(const demoPanel *panel);

/* After each look at the keyboard: gives keys to the window that the panel has not taken because it
 * is not drawn any more. */
/* NULL is allowed */
void demoPanelTakeKeys(demoPanel *panel);

/* Draws into the window, and takes keys. Returns the item that the user has changed, or -1. */
int demoPanelDraw(demoPanel *panel, const char *title, const demoPanelItem *items, int count,
                  demoPanelView *view);

#ifdef __cplusplus
}
#endif
#endif
