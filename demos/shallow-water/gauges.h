/* Gauges: the level at a few places over time, as a plot on the picture and as CSV. */
#ifndef DEMOS_SHALLOW_WATER_GAUGES_H
#define DEMOS_SHALLOW_WATER_GAUGES_H

#include <stdio.h>

#include "common/plot.h"
#include "common/scene.h"
#include "texla/sim.h"

enum { GAUGES = 4, GAUGE_SAMPLES = 1200 };

typedef struct Gauge {
  /* in parts of the domain */
  double place[2];
  /* empty: its number */
  char name[DEMO_TEXT];
} Gauge;

typedef struct Gauges {
  /* samples: all so far, one a time step */
  int count, samples;
  Gauge gauge[GAUGES];
  /* the last ones, in a ring */
  float level[GAUGES][GAUGE_SAMPLES];
  /* gathers the levels, and reads of them: made at the first reading */
  clKernel *kernel;
  clVector *levels;
  FILE *file;
  const char *path;
} Gauges;

/* At `places` "x,y;x,y" or, NULL, the scene's own. `path` (NULL: none) becomes a CSV file at
 * once. */
clStatus gaugesCreate(Gauges *gauges, const Gauge own[GAUGES], const char *places, const char *path,
                      clError *error);
void gaugesDestroy(Gauges *gauges);
/* Says whether the CSV is whole. */
clStatus gaugesClose(Gauges *gauges, clError *error);

/* Takes the levels of now. */
clStatus gaugesRead(Gauges *gauges, clWater *water);

/* Lines of a scene's text, which have no place at the very edge. */
void gaugesWrite(const Gauges *gauges, FILE *file);

/* The plot in a corner and, unless `hidden`, crosses on the map. */
void gaugesDraw(const Gauges *gauges, demoOverlay *overlay, bool hidden);

#endif
