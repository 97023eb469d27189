/* Text and colour bars over pictures, in DejaVu Sans (or the font that TEXLA_FONT names) where it
 * is installed, otherwise in a font of strokes. */
#ifndef DEMOS_COMMON_TEXT_H
#define DEMOS_COMMON_TEXT_H

#include "common/layout.h"
#include "texla/io.h"

/* The font's file, or NULL. */
const char *demoTextFont(void);

/* The height of a line in pixels: at first 12, for pictures of that height otherwise. Fonts of
 * strokes have one size. */
int demoTextLine(void);
void demoTextFor(int height);
/* Of what follows: how many pixels of the screen stand for one, 2 on a display of fine pixels; 1
 * for files. */
void demoTextDensity(double density);
#define DEMO_LINE demoTextLine()

int demoTextWidth(const char *text);

/* Writes bright text on a darkened ground; (x, y) is its upper left corner. */
void demoText(demoOverlay *overlay, int x, int y, const char *text);
/* Without that ground: on one that is dark already. */
void demoTextBare(demoOverlay *overlay, int x, int y, const char *text);

/* In an area of its own, which shows nothing else: as much of the text as there is room for, from
 * the left, in line number `line`. */
void demoTextIn(demoOverlay *overlay, const demoArea *area, int line, const char *text);
/* How many characters of a text fit into a width; all of a word, where one fits. */
int demoTextFits(const char *text, int width);

/* The width of the bar below with its numbers. */
int demoColorBarWidth(void);
/* A bar of the map's colours along the right edge of an area, with marks at round values, and
 * arrows at the ends beyond which values lie. */
void demoColorBar(demoOverlay *overlay, const demoArea *area, clColormap map, const double range[2],
                  bool below, bool above);

#endif
