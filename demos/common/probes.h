/* Places where a field is measured: its value after each time step, plotted and written, and a line
 * along which it is plotted now. */
#ifndef DEMOS_COMMON_PROBES_H
#define DEMOS_COMMON_PROBES_H

#include "common/plot.h"
#include "common/scene.h"
#include "core/output.h"

typedef struct demoProbes {
  /* samples: all so far */
  int count, samples;
  /* in heights of the domain, as in scenes */
  double place[DEMO_PROBES][2];
  /* the last ones, in a ring */
  float value[DEMO_PROBES][DEMO_SAMPLES];
  /* there is a line, ... */
  bool lined;
  /* ... from here to there, likewise */
  double line[2][2];
  /* a line for each probe and step: time,x,y,value */
  txOutput csv;
} demoProbes;

/* A field on the host, its cells' centres, row 0 at the bottom; the domain has height 1. */
typedef struct demoFieldValues {
  const float *value;
  int nx, ny;
} demoFieldValues;

/* Those of the scene, in place of others, and its line; a scene without any leaves them. */
void demoProbesOf(demoProbes *probes, const demoScene *scene);
/* Are they others than those of the scene? */
bool demoProbesDiffer(const demoProbes *probes, const demoScene *scene);
/* As lines of a scene's text. */
void demoProbesWrite(const demoProbes *probes, FILE *file);
/* Adds those of "x,y;x,y". */
clStatus demoProbesRead(demoProbes *probes, const char *text, clError *error);
/* Opens the CSV file. */
clStatus demoProbesOpen(demoProbes *probes, const char *path, clError *error);
clStatus demoProbesClose(demoProbes *probes, bool good, clError *error);

/* Adds one; where one is already, less than `near` away, it is removed. */
void demoProbesToggle(demoProbes *probes, double x, double y, double near);
/* all samples */
void demoProbesForget(demoProbes *probes);

/* The field at a place, between the centres of cells linearly. */
double demoFieldAt(const demoFieldValues *field, double x, double y);

void demoProbesTake(demoProbes *probes, double time, const demoFieldValues *field);

/* Crosses, the line, and their plots. Without values in `field` the plot of the line is left out.
 * */
void demoProbesDraw(const demoProbes *probes, const demoFieldValues *field, demoOverlay *overlay);

#endif
