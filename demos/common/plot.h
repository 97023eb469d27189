/* Curves over time, or along a line, in a box over a picture. */
#ifndef DEMOS_COMMON_PLOT_H
#define DEMOS_COMMON_PLOT_H

#include "common/overlay.h"

/* of the frame's own rings */
enum { DEMO_SAMPLES = 400 };

/* `count` curves of `room` values each, one behind the other. Each is a ring: of `samples` values
 * so far the last ones are there, number s at s % room. What is not finite leaves a gap. */
typedef struct demoCurves {
  const float *value;
  int room, count, samples;
  /* of the curves, written with their last values, up to NULL; NULL: none */
  const char *const *names;
} demoCurves;

/* The colour of curve number k, and of its mark in the picture. */
const uint8_t *demoPlotColour(int k);

/* box <- left, top, right, bottom: the next one of the overlay's places for plots, without any
 * pixels where these have no area. */
void demoPlotSlot(demoOverlay *overlay, int box[4]);

/* Draws them in a box that has pixels, with the least and the largest value (of nearly all:
 * findRange); nothing before there are two samples. */
void demoPlot(demoOverlay *overlay, const int place[4], const demoCurves *curves);

/* A cross in the colour of curve number k, at a place in heights of the domain. */
void demoPlotCross(demoOverlay *overlay, double x, double y, int k);

#endif
