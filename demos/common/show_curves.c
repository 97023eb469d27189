/* Curves over time: some of what --stats tells, plotted while the program runs. */
#include <string.h>

#include "common/show_private.h"

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
  o->curve_samples += count > 0;
}

void demoShowCurves(demoShow *show) {
  demoPrivate *o = show->own;
  char copy[128];
  const char *names[DEMO_CURVES + 1];
  int box[4], count = namesOf(show, copy, names);
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
