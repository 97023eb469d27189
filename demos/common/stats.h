/* --stats: a line per time step, with the seconds that each stage took on the device. */
#ifndef DEMOS_COMMON_STATS_H
#define DEMOS_COMMON_STATS_H

#include "common/show.h"

enum { DEMO_STAGES = 12 };

typedef struct demoStats {
  FILE *file; /* NULL: not asked for */
  const char *path;
  const demoStage *stages;
  double spent[DEMO_STAGES];      /* since the last line */
  double drawing, seconds, began; /* began: 0 outside of a step */
} demoStats;

clStatus demoStatsOpen(demoStats *stats, const demoProgram *program, const char *path, clError *error);

/* For clContextOptions.listener. */
void demoStatsListen(void *stats, const clPassEvent *event);

void demoStatsBegin(demoStats *stats); /* a time step begins, and ends */
void demoStatsEnd(demoStats *stats);
void demoStatsLine(demoStats *stats, int64_t step, double time, const double *values, int count);
clStatus demoStatsClose(demoStats *stats, clError *error);

double demoSeconds(void); /* of a clock that only goes forward */

#endif
