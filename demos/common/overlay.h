/* What is drawn over a picture: rectangles in one colour, in order. A window draws them on the
 * device, demoOverlayApply on a picture that was read back. Texts, bars and plots add theirs;
 * coordinates are pixels of the picture, its first row at the top. */
#ifndef DEMOS_COMMON_OVERLAY_H
#define DEMOS_COMMON_OVERLAY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct demoImage {
  /* top row first */
  uint8_t *rgb;
  int width, height;
} demoImage;

/* Covers left <= x < right, top <= y < bottom; within the picture. */
typedef struct demoRectangle {
  int left, top, right, bottom;
  /* the colour, and how much of what is below it covers: 255 all */
  uint8_t rgb[3], cover;
} demoRectangle;

/* A part of a picture that shows the domain. */
typedef struct demoFrame {
  /* pixels */
  int left, top, width, height;
  /* of the domain: width / height */
  double aspect;
} demoFrame;

/* Covers left <= x < right, top <= y < bottom, in pixels from the upper left corner; nothing where
 * left = right or top = bottom. */
typedef struct demoArea {
  int left, top, right, bottom;
} demoArea;

typedef struct demoOverlay {
  /* of the picture */
  int width, height;
  demoFrame field;
  /* where plots stand; empty: there are none; so many, and the next one */
  demoArea plots;
  int slots, slot;
  demoRectangle *list;
  int count, room;
  /* there was no memory for some */
  bool incomplete;
} demoOverlay;

/* Begins anew, for a picture of that size; memory is kept. */
void demoOverlayBegin(demoOverlay *overlay, int width, int height, const demoFrame *field);
/* frees */
void demoOverlayClear(demoOverlay *overlay);

void demoFill(demoOverlay *overlay, int left, int top, int right, int bottom, const uint8_t rgb[3]);
/* leaves a third of the light */
void demoShade(demoOverlay *overlay, int left, int top, int right, int bottom);
void demoBlend(demoOverlay *overlay, int left, int top, int right, int bottom, const uint8_t rgb[3],
               uint8_t cover);

/* at <- the pixel of a place in the domain: both from its lower left corner, in heights of it. */
void demoPlace(const demoOverlay *overlay, double x, double y, int at[2]);

/* Draws all of it on a picture of its size. */
void demoOverlayApply(const demoOverlay *overlay, demoImage image);

#endif
