/* What the page in a browser does for the program: web/library.js. */
#ifndef DEMOS_COMMON_PAGE_H
#define DEMOS_COMMON_PAGE_H

#include <stdbool.h>

/* Something has come that may change what a page shows that rests (window_web.c). */
void demoPageWake(void);

/* What the panel shows, as a JSON text (panel_web.c). */
void demoPagePanel(const char *json);
/* Texts about the picture. */
void demoPageTell(const char *above, const char *below);
/* A character in the page's font of that size: `cover` <- how much of each pixel of a square it
 * covers, with the pen at x from the left and y from the top. Returns how far the pen goes on. */
double demoPageGlyph(int character, double size, int side, int x, int y, unsigned char *cover);
/* A picture is on the canvas until the end of the browser's frame; the first one of a scene? */
void demoPageShown(bool first);
/* The whole screen, and back again. */
void demoPageFull(void);
/* A text for the clipboard. */
void demoPageCopy(const char *text);
/* A file of the program's becomes one that the user saves. */
void demoPageGive(const char *path);

#endif
