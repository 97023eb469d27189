/* A panel of sliders and lists over a window's picture, made of options: their names, units and
 * help are those of --help. By Dear ImGui, where the build has it (panel.cpp), by the elements of a
 * page in a browser (panel_web.c); otherwise no panel can be made, and the keys do what they do. */
#ifndef DEMOS_COMMON_PANEL_H
#define DEMOS_COMMON_PANEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "common/overlay.h"
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
  /* the target is another one than at first: "reset" gives it that value */
  bool differs;
  double first;
  /* <- where its middle is drawn, and that of its button "reset", in pixels of the window's
   * framebuffer */
  int place[2], reset[2];
} demoPanelItem;

/* Keys without a character of their own: they stand for the tabulator, and for F11. */
enum { DEMO_TAB = 9, DEMO_FULL = 11, DEMO_MARK = 12 };

/* pixels of a small picture in a menu */
enum { DEMO_SKETCH_WIDTH = 72, DEMO_SKETCH_HEIGHT = 44 };

/* What the user wants of the text that has been typed. */
typedef enum demoPanelAct {
  DEMO_TYPE,
  DEMO_RUN,
  DEMO_RESTART,
  DEMO_REVERT,
  DEMO_KEEP
} demoPanelAct;

/* A button of the bar. It does what its key does, and its menu, where it has one, more. */
typedef struct demoButton {
  char key;
  /* Strokes on a grid of 8 x 8 from the upper left corner: "m12" begins at (1, 2), "l34" goes to
   * (3, 4); then "s" draws the line, "z" closes it, "f" fills the polygon; "o2" is a circle around
   * the last place, drawn by "s" and filled by "f". "?" is that character. */
  const char *icon;
  /* what it does, without the key */
  const char *help;
  bool on;
  /* NULL: none; otherwise so many items, of which one is the current one (-1: none) */
  const char *const *menu;
  int items, current;
  /* small pictures of the items, each DEMO_SKETCH_WIDTH x DEMO_SKETCH_HEIGHT, top row first; NULL:
   * there are none */
  const uint8_t *sketches;
  /* not 0: it chooses tool number `tool` - 1 of the left button */
  int tool;
} demoButton;

/* A line of text that can be changed, or a choice, with its label. */
typedef struct demoPanelLine {
  const char *label, *help;
  /* NULL behind the last one; NULL: it is typed */
  const char *const *choices;
  /* of `room` bytes, changed in place */
  char *text;
  size_t room;
  bool shown;
  /* it is wrong, at this character; -1: as a whole */
  bool wrong;
  int column;
  /* <- its middle, as that of items */
  int place[2];
} demoPanelLine;

/* What is the frame's own, changed in place. */
typedef struct demoPanelView {
  /* the height of a line of the window's own texts */
  int text_line;
  /* the bar, in rows of so many buttons; where it and the panel stand: pixels of the window's
   * framebuffer */
  const demoButton *button;
  int buttons, row;
  demoArea bar, side;
  /* <- the button that was pressed, and the item of its menu; they stay -1 where there is none */
  int pressed, picked;
  /* <- the button whose menu is open; it stays -1 where none is */
  int opened;
  /* <- where the first and the last item of an open menu are; they stay where none is open */
  int first[2], last[2];
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
  /* the text that runs, with what has been drawn and placed; NULL: nothing has, or the panel is not
   * apart */
  const char *shared;
  /* <- something has been typed */
  bool *edited;
  /* what is wrong with the text; empty: nothing */
  const char *complaint;
  /* where: line and column, from 1; column 0: all of the line */
  const int *place;
  /* <- */
  demoPanelAct act;
  /* above the numbers; with what is wrong in one of them, or in all: empty: nothing */
  demoPanelLine *line;
  int lines;
  const char *wrong;
  /* <- the one that was typed or chosen; it stays -1 where none was. It was ended by return, or
   * left. */
  int typed;
  bool entered;
  /* <- the item with a number that is being dragged; it stays -1 where none is */
  int held;
  /* <- where it is */
  double number;
} demoPanelView;

/* Dear ImGui was there for the build. */
bool demoPanelBuilt(void);
/* It stands beside the window, as in a browser's page: it takes no room in it, and is always
 * shown. */
bool demoPanelApart(void);
/* For a window of GLFW whose callbacks have been set and whose OpenGL context is current. `font`: a
 * TrueType file, or NULL. NULL: not built in. */
demoPanel *demoPanelCreate(void *glfw, const char *font, float pixels);
/* NULL is allowed, here and below */
void demoPanelDestroy(demoPanel *panel);

/* What happens now is the panel's, not the picture's: at this place of the window, in its units. */
bool demoPanelTakesMouse(const demoPanel *panel, double x, double y);
bool demoPanelTakesKeys(const demoPanel *panel);
/* Closes a menu; false where none is open. */
bool demoPanelCloseMenu(demoPanel *panel);

/* After each look at the keyboard: gives keys to the window that the panel has not taken because it
 * is not drawn any more. */
/* NULL is allowed */
void demoPanelTakeKeys(demoPanel *panel);

/* Draws into the window, and takes keys. Returns the item that the user has changed, or -1. */
int demoPanelDraw(demoPanel *panel, const char *title, demoPanelItem *items, int count,
                  demoPanelView *view);

#ifdef __cplusplus
}
#endif
#endif
