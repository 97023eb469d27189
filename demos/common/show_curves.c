/* Curves over time: some of what --stats tells, plotted while the program runs. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/show_private.h"
#include "core/error.h"
#include "core/output.h"
#include "core/try.h"
#include "platform/platform.h"

/* The names of the group that is shown, in `copy`; how many. */
static int namesOf(const demoShow *show, char copy[128], const char *names[DEMO_CURVES + 1]) {
  int group = show->options.curves, count = 0;
  snprintf(copy, 128, "%s", group > 0 ? show->program->curves[group - 1] : "");
  for (char *name = copy; *name && count < DEMO_CURVES;) {
    size_t length = strcspn(name, ",");
    char *next = name + length + (name[length] == ',');
    name[length] = 0;
    names[count++] = name;
    name = next;
  }
  names[count] = NULL;
  return count;
}

/* Where a column stands among those of --stats; one that is not there ends behind them. */
static int columnOf(const demoShow *show, const char *name) {
  size_t length = strlen(name);
  int column = 0;
  for (const char *at = show->program->columns; *at; column++) {
    size_t here = strcspn(at, ",");
    if (here == length && memcmp(at, name, length) == 0)
      return column;
    at += here + (at[here] == ',');
  }
  return column;
}

void demoShowTakeCurves(demoShow *show, const double *values) {
  demoPrivate *o = show->own;
  char copy[128];
  const char *names[DEMO_CURVES + 1];
  int count = namesOf(show, copy, names);
  if (o->curve_group != show->options.curves)
    o->curve_samples = 0;
  o->curve_group = show->options.curves;
  for (int k = 0; k < count; k++)
    o->curve[k][o->curve_samples % DEMO_SAMPLES] = (float)values[columnOf(show, names[k])];
  o->curve_time[o->curve_samples % DEMO_SAMPLES] = o->time;
  o->curve_samples += count > 0;
}

/* label <- a column's name with its unit. */
static void nameUnit(const demoShow *show, const char *name, char label[64]) {
  const char *unit = show->program->units;
  for (int k = columnOf(show, name); unit && k > 0; k--)
    unit = strchr(unit, ',') ? strchr(unit, ',') + 1 : NULL;
  int length = unit ? (int)strcspn(unit, ",") : 0;
  if (length > 0)
    snprintf(label, 64, "%.30s (%.*s)", name, length, unit);
  else
    snprintf(label, 64, "%.60s", name);
}

clStatus demoShowKeepCurves(demoShow *show, char *path, size_t size) {
  demoPrivate *o = show->own;
  char copy[128], label[64];
  const char *names[DEMO_CURVES + 1];
  int count = namesOf(show, copy, names), number = 0, samples = o->curve_samples;
  txOutput output;
  if (!count || samples < 1)
    return txFail(&show->error, TEXLA_UNSUPPORTED, "curves",
                  "nothing is plotted over time: E chooses what");
  txFolderCreate(show->options.out);
  do
    snprintf(path, size, "%.4000s/%s-curves-%04d.csv", show->options.out, demoSceneOf(show)->name,
             number++);
  while (access(path, F_OK) == 0);
  TRY(txOutputOpen(&output, path, "curves", &show->error));
  fprintf(output.file, "time");
  for (int k = 0; k < count; k++) {
    nameUnit(show, names[k], label);
    fprintf(output.file, ",%s", label);
  }
  int first = samples > DEMO_SAMPLES ? samples - DEMO_SAMPLES : 0;
  for (int s = first; s < samples; s++) {
    fprintf(output.file, "\n%.9g", o->curve_time[s % DEMO_SAMPLES]);
    for (int k = 0; k < count; k++)
      fprintf(output.file, ",%.9g", (double)o->curve[k][s % DEMO_SAMPLES]);
  }
  fprintf(output.file, "\n");
  return txOutputCommit(&output, &show->error);
}

void demoShowCurves(demoShow *show) {
  demoPrivate *o = show->own;
  char copy[128];
  const char *names[DEMO_CURVES + 1];
  char label[DEMO_CURVES][64];
  int box[4], count = namesOf(show, copy, names);
  for (int k = 0; k < count; k++) {
    nameUnit(show, names[k], label[k]);
    names[k] = label[k];
  }
  if (!count || o->curve_group != show->options.curves)
    return;
  demoPlotSlot(&o->overlay, 2, box);
  demoPlot(&o->overlay, box,
           &(demoCurves){.value = o->curve[0],
                         .room = DEMO_SAMPLES,
                         .count = count,
                         .samples = o->curve_samples,
                         .names = names});
}
