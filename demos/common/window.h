/* A window that shows one picture, and what the user did in it. Hides GLFW (window.c) or the page
 * in a browser (window_web.c), and OpenGL.
 *
 * The window's OpenGL context is current in the calling thread after demoWindowOpen, for
 * txProgramOpenWith. */
#ifndef DEMOS_COMMON_WINDOW_H
#define DEMOS_COMMON_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "common/overlay.h"
#include "common/panel.h"
#include "texla/vector.h"

typedef struct demoWindow demoWindow;

/* For pictures of width x height; 0: the window stays hidden until demoWindowPicture.
 * TEXLA_NO_DEVICE without a display (or without GLFW). */
clStatus demoWindowOpen(demoWindow **out, const char *title, int width, int height, clError *error);
/* NULL is allowed */
void demoWindowClose(demoWindow *window);

/* DEMO_ESCAPE is the key. A finger is one that touches the screen; the mouse is finger 0. */
enum { DEMO_POINTS = 64, DEMO_KEYS = 64, DEMO_FINGERS = 10, DEMO_ESCAPE = 27 };

/* What happened since the last call. */
typedef struct demoInput {
  struct {
    /* in the domain: 0..1 from its lower left corner */
    double x, y;
    /* the button went down here; otherwise it was dragged here */
    bool first;
    /* the right button; otherwise the left one */
    bool right;
    /* whose drag it belongs to */
    int finger;
  } point[DEMO_POINTS];
  int points;
  /* where the pointer is, likewise */
  double cursor[2];
  /* it is in the domain */
  bool inside;
  /* a drag that began beside the picture, which takes no part in it: its number, 0: there is none;
   * where it began and where it is, in pixels from the window's upper left corner */
  int drag;
  double from[2], to[2];
  /* clicks, away from the user */
  double wheel;
  /* the character that was typed, on any keyboard, letters as 'A'..'Z'; F1 is 'H', an arrow to the
   * left ',', to the right '.', control and Z is 'U', escape is DEMO_ESCAPE, the tabulator
   * DEMO_TAB, F11 DEMO_FULL, F12 DEMO_MARK */
  char key[DEMO_KEYS];
  /* so many of the points came before the key */
  int before[DEMO_KEYS];
  int keys;
} demoInput;

/* Asks for picture after picture until there is none `next`, then comes to the `end`, whose result
 * it returns. A browser calls back for each picture: there this does not return, and what `user`
 * points to must live on. */
int demoWindowRun(demoWindow *window, bool (*next)(void *user), int (*end)(void *user), void *user);
/* Waits for the next sixtieth of a second, where nobody else does; false when the window should
 * close (its button, or demoWindowLeave). */
bool demoWindowNext(demoWindow *window, demoInput *input);
/* Nothing moves any more: until the user does something the next demoWindowNext may take its
 * time. */
void demoWindowRest(demoWindow *window);
/* the next demoWindowNext is the last one */
void demoWindowLeave(demoWindow *window);

/* The window takes the largest comfortable multiple of this size, and beside it what buttons and
 * texts need; users may change it. It stays as it is for a picture of about the same shape, and
 * once a user has changed it. */
void demoWindowPicture(demoWindow *window, int width, int height);
/* The whole screen, and back again. */
void demoWindowFull(demoWindow *window);
/* Gives a text to other programs, as "copy" does. */
void demoWindowCopy(demoWindow *window, const char *text);

/* Of its display: how many pixels stand for one, 2 where they are fine. */
double demoWindowDensity(const demoWindow *window);
/* In pixels, now: at least 1 x 1. */
void demoWindowSize(const demoWindow *window, int size[2]);
/* Draws a picture that lives on the device, or none (NULL), with an overlay of the window's size
 * (demoCanvasDraw). TEXLA_NO_DEVICE when the window's context cannot draw it. */
clStatus demoWindowDraw(demoWindow *window, const clVectorView *picture, const demoOverlay *overlay,
                        clError *error);
/* A panel over what is shown next (demoPanelDraw); false: there is none. *changed <- the item that
 * the user has changed, or -1. */
bool demoWindowPanel(demoWindow *window, const char *title, demoPanelItem *items, int count,
                     demoPanelView *view, int *changed);
/* Gives texts about the picture, those above it in lines, to a window that has a place for them;
 * false: they are to be drawn. */
bool demoWindowTell(demoWindow *window, const char *above, const char *below);
/* Gives a file to the user, where that is not done by writing it. */
void demoWindowGive(demoWindow *window, const char *path);
/* Closes a menu of the panel; false where none is open. */
bool demoWindowCloseMenu(demoWindow *window);
/* what has been drawn */
void demoWindowShow(demoWindow *window);
void demoWindowTitle(demoWindow *window, const char *title);

/* Frames shown in a second, measured over the last half one. */
double demoWindowRate(const demoWindow *window);

#endif
