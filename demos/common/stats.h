/* --stats: a line per time step, with the seconds that each stage took on the device. */
#ifndef DEMOS_COMMON_STATS_H
#define DEMOS_COMMON_STATS_H

#include "common/show.h"

enum { DEMO_STAGES = 12 };

typedef struct demoStats {
  /* NULL before the first line */
  FILE *file;
  /* "-": standard output; NULL: not asked for */
  const char *path;
  const demoProgram *program;
  /* since the last line */
  double spent[DEMO_STAGES];
  /* began: 0 outside of a step */
  double drawing, seconds, began;
} demoStats;

/* The file itself is opened by the first line, or at the end of a good run without any. */
clStatus demoStatsOpen(demoStats *stats, const demoProgram *program, const char *path,
                       clError *error);
/* so messages must not go there */
bool demoStatsToOutput(const demoStats *stats);

/* For clContextOptions.listener. */
void demoStatsListen(void *stats, const clPassEvent *event);

/* a time step begins, and ends */
void demoStatsBegin(demoStats *stats);
void demoStatsEnd(demoStats *stats);
clStatus demoStatsLine(demoStats *stats, int64_t step, double time, const double *values, int count,
                       clError *error);
clStatus demoStatsClose(demoStats *stats, bool good, clError *error);

/* of a clock that only goes forward */
double demoSeconds(void);

#endif
