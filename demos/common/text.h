/* Text and colour bars in pictures. */
#ifndef DEMOS_COMMON_TEXT_H
#define DEMOS_COMMON_TEXT_H

#include "texla/io.h"

typedef struct demoImage {
  uint8_t *rgb; /* top row first */
  int width, height;
} demoImage;

/* Writes bright text on a darkened ground; (x, y) is its upper left corner. Lines are DEMO_LINE pixels high. */
enum { DEMO_LINE = 12 };
void demoText(demoImage image, int x, int y, const char *text);

/* Darkens x0 <= x < x1, y0 <= y < y1. */
void demoShade(demoImage image, int x0, int y0, int x1, int y1);

/* A bar of the map's colours along the right edge, with values at five places. */
void demoColorBar(demoImage image, clColormap map, double low, double high);

#endif
