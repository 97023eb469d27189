#include "common/stats.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "core/error.h"

double demoSeconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

clStatus demoStatsOpen(demoStats *stats, const demoProgram *program, const char *path, clError *error) {
  *stats = (demoStats){.stages = program->stages, .path = path, .file = fopen(path, "w")};
  if (!stats->file)
    return txFail(error, TEXLA_IO_ERROR, "--stats", "cannot write %s: %s", path, strerror(errno));
  fprintf(stats->file, "step,time,%s,seconds", program->columns);
  for (const demoStage *stage = program->stages; stage->column; stage++)
    fprintf(stats->file, ",%s", stage->column);
  fprintf(stats->file, ",drawing\n");
  return TEXLA_OK;
}

/* Does the kernel's name begin like one of those listed? */
static bool belongs(const char *kernel, const char *list) {
  while (*list) {
    size_t length = strcspn(list, ",");
    if (strncmp(kernel, list, length) == 0)
      return true;
    list += length;
    list += *list == ',';
  }
  return false;
}

void demoStatsListen(void *data, const clPassEvent *event) {
  demoStats *stats = data;
  int k = 0;
  if (!stats->file || event->seconds < 0 || stats->began == 0)
    return;
  while (stats->stages[k].column && stats->stages[k].kernels && !belongs(event->kernel, stats->stages[k].kernels))
    k++;
  if (stats->stages[k].column && k < DEMO_STAGES)
    stats->spent[k] += event->seconds;
}

void demoStatsBegin(demoStats *stats) {
  stats->began = demoSeconds();
}

void demoStatsEnd(demoStats *stats) {
  stats->seconds = demoSeconds() - stats->began;
  stats->began = 0;
}

void demoStatsLine(demoStats *stats, int64_t step, double time, const double *values, int count) {
  FILE *file = stats->file;
  fprintf(file, "%lld,%.9g", (long long)step, time);
  for (int k = 0; k < count; k++)
    fprintf(file, ",%.9g", values[k]);
  fprintf(file, ",%.6f", stats->seconds);
  for (int k = 0; stats->stages[k].column; k++)
    fprintf(file, ",%.6f", stats->spent[k]);
  fprintf(file, ",%.6f\n", stats->drawing);
  memset(stats->spent, 0, sizeof stats->spent);
  stats->drawing = 0;
}

clStatus demoStatsClose(demoStats *stats, clError *error) {
  FILE *file = stats->file;
  bool failed = file && ferror(file);
  stats->file = NULL;
  if (file && (fclose(file) != 0 || failed))
    return txFail(error, TEXLA_IO_ERROR, "--stats", "cannot write %s", stats->path);
  return TEXLA_OK;
}
