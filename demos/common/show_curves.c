/* Curves over time: some of what --stats tells, plotted while the program runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "core/error.h"
#include "core/output.h"
#include "core/try.h"
#include "platform/platform.h"
#include "texla/io.h"
#include "core/numbers.h"

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

/* The ring holds one group; another one begins with nothing. */
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
  for (int k = columnOf(show, name); unit && k > 0; k--) {
    unit = strchr(unit, ',');
    unit += unit != NULL;
  }
  int length = 0;
  if (unit)
    length = (int)strcspn(unit, ",");
  if (length > 0)
    snprintf(label, 64, "%.30s (%.*s)", name, length, unit);
  else
    snprintf(label, 64, "%.60s", name);
}

/* The group is chosen, and there is something to tell. */
static bool isPlotted(const demoShow *show) {
  return show->options.curves > 0 && demoShowHasCurves(show, show->options.curves);
}

bool demoShowHasCurves(const demoShow *show, int group) {
  const demoProgram *program = show->program;
  return group < 1 || !program->has_curves || program->has_curves(show->self, group - 1);
}

/* What is plotted, with names that have units. */
typedef struct Plotted {
  char copy[128], label[DEMO_CURVES][64];
  const char *names[DEMO_CURVES + 1];
  int count;
} Plotted;

static void listPlotted(const demoShow *show, Plotted *plotted) {
  plotted->count = namesOf(show, plotted->copy, plotted->names);
  for (int k = 0; k < plotted->count; k++) {
    nameUnit(show, plotted->names[k], plotted->label[k]);
    plotted->names[k] = plotted->label[k];
  }
}

void demoShowNameCurves(const demoShow *show, int group, char name[DEMO_CURVE_NAME]) {
  demoShow other = *show;
  Plotted plotted;
  size_t used = 0;
  other.options.curves = group;
  listPlotted(&other, &plotted);
  *name = 0;
  for (int k = 0; k < plotted.count && used < DEMO_CURVE_NAME; k++)
    used += (size_t)snprintf(name + used, DEMO_CURVE_NAME - used, "%s%s", k ? ", " : "",
                             plotted.label[k]);
  if (used < DEMO_CURVE_NAME && !demoShowHasCurves(show, group))
    snprintf(name + used, DEMO_CURVE_NAME - used, "%s", "  (nothing to tell here)");
}

static demoCurves curvesOf(const demoPrivate *o, const Plotted *plotted) {
  return (demoCurves){.value = o->curve[0],
                      .room = DEMO_SAMPLES,
                      .count = plotted->count,
                      .samples = o->curve_samples,
                      .names = plotted->names};
}

/* The samples that the ring still has, a line each. */
static clStatus writeTable(demoShow *show, const char *path, const Plotted *plotted) {
  demoPrivate *o = show->own;
  txOutput output;
  int samples = o->curve_samples, first = txMost(samples - DEMO_SAMPLES, 0);
  const char *unit = show->program->time_unit;
  TRY(txOutputOpen(&output, path, "curves", &show->error));
  if (unit)
    fprintf(output.file, "time (%s)", unit);
  else
    fprintf(output.file, "time");
  for (int k = 0; k < plotted->count; k++)
    fprintf(output.file, ",%s", plotted->names[k]);
  for (int s = first; s < samples; s++) {
    fprintf(output.file, "\n%.9g", o->curve_time[s % DEMO_SAMPLES]);
    for (int k = 0; k < plotted->count; k++)
      fprintf(output.file, ",%.9g", (double)o->curve[k][s % DEMO_SAMPLES]);
  }
  fprintf(output.file, "\n");
  return txOutputCommit(&output, &show->error);
}

/* The same plot as in the window, larger, on black. */
static clStatus drawTable(demoShow *show, const char *path, const Plotted *plotted) {
  enum { WIDTH = 960, HEIGHT = 400, MARGIN = 16 };
  demoOverlay overlay = {.count = 0};
  const demoFrame whole = {
      .width = WIDTH, .height = HEIGHT, .aspect = (double)WIDTH / (double)HEIGHT};
  demoImage image = {calloc(3 * WIDTH, HEIGHT), WIDTH, HEIGHT};
  if (!image.rgb)
    return demoOutOfMemory(show);
  demoTextFor(HEIGHT);
  const int box[4] = {MARGIN, MARGIN + 2 * DEMO_LINE, WIDTH - MARGIN, HEIGHT - MARGIN - DEMO_LINE};
  const demoCurves curves = curvesOf(show->own, plotted);
  char span[96];
  demoOverlayBegin(&overlay, WIDTH, HEIGHT, &whole);
  demoPlot(&overlay, box, &curves);
  int samples = show->own->curve_samples, kept = txLeast(samples, DEMO_SAMPLES);
  snprintf(span, sizeof span, "time %.4g to %.4g %s",
           show->own->curve_time[(samples - kept) % DEMO_SAMPLES], show->own->time,
           show->program->time_unit ? show->program->time_unit : "");
  demoText(&overlay, MARGIN, HEIGHT - DEMO_LINE - 4, span);
  demoOverlayApply(&overlay, image);
  clStatus status = demoOutOfMemory(show);
  if (!overlay.incomplete)
    status = clPngWrite(path, image.rgb, WIDTH, HEIGHT, &show->error);
  demoOverlayClear(&overlay);
  free(image.rgb);
  return status;
}

clStatus demoShowKeepCurves(demoShow *show, char *path, size_t size) {
  demoPrivate *o = show->own;
  char picture[4400];
  Plotted plotted;
  int number = 0;
  listPlotted(show, &plotted);
  if (!isPlotted(show))
    return txFail(&show->error, TEXLA_UNSUPPORTED, "curves",
                  "nothing is plotted over time: E chooses what");
  if (o->curve_samples < 2)
    return txFail(&show->error, TEXLA_UNSUPPORTED, "curves",
                  "nothing has been plotted yet: it takes two time steps");
  txFolderCreate(show->options.out);
  do
    snprintf(path, size, "%.4000s/%s-curves-%04d.csv", show->options.out, demoSceneOf(show)->name,
             number++);
  while (txPathLook(path, NULL) != TX_PATH_NOTHING);
  snprintf(picture, sizeof picture, "%.*s.png", (int)strlen(path) - 4, path);
  TRY(writeTable(show, path, &plotted));
  TRY(drawTable(show, picture, &plotted));
  return demoShowSign(show, picture);
}

int demoShowPlots(const demoShow *show) {
  const demoPrivate *o = show->own;
  bool own = show->program->plots && show->program->plots(show->self);
  int probes = (o->probes.count > 0) + o->probes.lined;
  return own + !o->aslant * probes + isPlotted(show);
}

void demoShowCurves(demoShow *show) {
  demoPrivate *o = show->own;
  int box[4];
  Plotted plotted;
  if (!isPlotted(show) || o->curve_group != show->options.curves)
    return;
  listPlotted(show, &plotted);
  demoPlotSlot(&o->overlay, box);
  const demoCurves curves = curvesOf(o, &plotted);
  demoPlot(&o->overlay, box, &curves);
}
