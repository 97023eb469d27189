/* Text and colour bars over pictures. */
#ifndef DEMOS_COMMON_TEXT_H
#define DEMOS_COMMON_TEXT_H

#include "common/overlay.h"
#include "texla/io.h"

/* Writes bright text on a darkened ground; (x, y) is its upper left corner. Lines are DEMO_LINE pixels high. */
enum { DEMO_LINE = 12 };
void demoText(demoOverlay *overlay, int x, int y, const char *text);

/* A bar of the map's colours along the right edge, with values at five places. */
void demoColorBar(demoOverlay *overlay, clColormap map, double low, double high);

#endif
