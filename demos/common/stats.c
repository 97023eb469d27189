#include "common/stats.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "program/program.h"
#include "core/error.h"
#include "core/try.h"
#include "platform/platform.h"

double demoSeconds(void) {
  return txNow();
}

clStatus demoStatsOpen(demoStats *stats, const demoProgram *program, const char *path,
                       clError *error) {
  *stats = (demoStats){.program = program, .path = path};
  return txProgramCheckOutput(path, error);
}

/* Only when there is something to write: a run that fails before leaves an older file as it is. */
static clStatus openFile(demoStats *stats, clError *error) {
  if (stats->file)
    return TEXLA_OK;
  stats->file = stdout;
  if (!demoStatsToOutput(stats))
    stats->file = fopen(stats->path, "w");
  if (!stats->file)
    return txFail(error, TEXLA_IO_ERROR, "--stats", "cannot write %s: %s", stats->path,
                  strerror(errno));
  fprintf(stats->file, "step,time,%s,seconds", stats->program->columns);
  for (const demoStage *stage = stats->program->stages; stage->column; stage++)
    fprintf(stats->file, ",%s", stage->column);
  fprintf(stats->file, ",drawing\n");
  return TEXLA_OK;
}

bool demoStatsToOutput(const demoStats *stats) {
  return stats->path && strcmp(stats->path, "-") == 0;
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
  if (!stats->path || !stats->program->stages || event->seconds < 0 || stats->began == 0)
    return;
  const demoStage *stages = stats->program->stages;
  while (stages[k].column && stages[k].kernels && !belongs(event->kernel, stages[k].kernels))
    k++;
  if (stages[k].column && k < DEMO_STAGES)
    stats->spent[k] += event->seconds;
}

void demoStatsBegin(demoStats *stats) {
  stats->began = demoSeconds();
}

void demoStatsEnd(demoStats *stats) {
  stats->seconds = demoSeconds() - stats->began;
  stats->began = 0;
}

clStatus demoStatsLine(demoStats *stats, int64_t step, double time, const double *values, int count,
                       clError *error) {
  TRY(openFile(stats, error));
  FILE *file = stats->file;
  fprintf(file, "%lld,%.9g", (long long)step, time);
  for (int k = 0; k < count; k++) {
    fputc(',', file);
    if (!isnan(values[k])) /* there was nothing to measure */
      fprintf(file, "%.9g", values[k]);
  }
  fprintf(file, ",%.6f", stats->seconds);
  for (int k = 0; stats->program->stages[k].column; k++)
    fprintf(file, ",%.6f", stats->spent[k]);
  fprintf(file, ",%.6f\n", stats->drawing);
  memset(stats->spent, 0, sizeof stats->spent);
  stats->drawing = 0;
  return TEXLA_OK;
}

clStatus demoStatsClose(demoStats *stats, bool good, clError *error) {
  if (good && stats->path)
    TRY(openFile(stats, error));
  FILE *file = stats->file;
  if (!file)
    return TEXLA_OK;
  const char *why = "is there room on the disk?";
  errno = 0;
  bool failed = ferror(file) != 0 || fflush(file) != 0;
  if (file != stdout)
    failed |= fclose(file) != 0;
  stats->file = NULL;
  if (!failed)
    return TEXLA_OK;
  if (errno)
    why = strerror(errno);
  return txFail(error, TEXLA_IO_ERROR, "--stats", "writing %s failed: %s", stats->path, why);
}
