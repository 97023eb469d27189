/* --stats: a line per time step, with the seconds that each stage took on the device. */
#ifndef DEMOS_COMMON_STATS_H
#define DEMOS_COMMON_STATS_H

#include "common/show.h"

enum { DEMO_STAGES = 12 };

typedef struct demoStats {
  FILE *file;       /* NULL before the first line */
  const char *path; /* "-": standard output; NULL: not asked for */
  const demoProgram *program;
  double spent[DEMO_STAGES];      /* since the last line */
  double drawing, seconds, began; /* began: 0 outside of a step */
} demoStats;

/* The file itself is opened by the first line, or at the end of a good run without any. */
clStatus demoStatsOpen(demoStats *stats, const demoProgram *program, const char *path, clError *error);
bool demoStatsToOutput(const demoStats *stats); /* so messages must not go there */

/* For clContextOptions.listener. */
void demoStatsListen(void *stats, const clPassEvent *event);

void demoStatsBegin(demoStats *stats); /* a time step begins, and ends */
void demoStatsEnd(demoStats *stats);
clStatus demoStatsLine(demoStats *stats, int64_t step, double time, const double *values, int count, clError *error);
clStatus demoStatsClose(demoStats *stats, bool good, clError *error);

double demoSeconds(void); /* of a clock that only goes forward */

#endif
