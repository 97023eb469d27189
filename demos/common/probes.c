#include "common/probes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "core/error.h"
#include "io/number.h"
#include "core/numbers.h"
#include "core/try.h"

static bool isLined(const demoScene *scene) {
  return memcmp(scene->along[0], scene->along[1], sizeof scene->along[0]) != 0;
}

void demoProbesOf(demoProbes *p, const demoScene *scene) {
  if (!scene->probes && !isLined(scene))
    return;
  demoProbesForget(p);
  p->count = scene->probes;
  memcpy(p->place, scene->probe, sizeof p->place);
  p->lined = isLined(scene);
  memcpy(p->line, scene->along, sizeof p->line);
}

bool demoProbesDiffer(const demoProbes *p, const demoScene *scene) {
  const size_t places = (size_t)p->count * sizeof *p->place;
  if (p->count != scene->probes || memcmp(p->place, scene->probe, places) != 0)
    return true;
  return p->lined != isLined(scene) ||
         (p->lined && memcmp(p->line, scene->along, sizeof p->line) != 0);
}

static void writePlace(FILE *file, const char *before, const double place[2]) {
  char number[2][TX_NUMBER_SIZE];
  for (int axis = 0; axis < 2; axis++)
    txNumberFormat(number[axis], place[axis]);
  fprintf(file, "%s%s, %s", before, number[0], number[1]);
}

void demoProbesWrite(const demoProbes *p, FILE *file) {
  for (int k = 0; k < p->count; k++) {
    writePlace(file, "probe  ", p->place[k]);
    fprintf(file, "\n");
  }
  if (!p->lined)
    return;
  writePlace(file, "along  ", p->line[0]);
  writePlace(file, ", ", p->line[1]);
  fprintf(file, "\n");
}

clStatus demoProbesRead(demoProbes *p, const char *text, clError *error) {
  for (const char *at = text; at == text || at[-1] == ';';) {
    double place[2] = {NAN, NAN};
    at = txNumberParse(at, &place[0]);
    if (at && *at == ',')
      at = txNumberParse(at + 1, &place[1]);
    if (!at || !isfinite(place[0]) || !isfinite(place[1]) || (*at && *at != ';'))
      return txFail(error, TEXLA_BAD_ARGUMENT, "--probes", "'%s' is not like 0.3,0.5;0.7,0.5",
                    text);
    if (p->count == DEMO_PROBES)
      return txFail(error, TEXLA_BAD_ARGUMENT, "--probes", "more than %d places", DEMO_PROBES);
    memcpy(p->place[p->count++], place, sizeof place);
    at += *at == ';';
  }
  return TEXLA_OK;
}

clStatus demoProbesOpen(demoProbes *p, const char *path, clError *error) {
  TRY(txOutputOpen(&p->csv, path, "--probe-csv", error));
  fprintf(p->csv.file, "time,x,y,value\n");
  return TEXLA_OK;
}

clStatus demoProbesClose(demoProbes *p, bool good, clError *error) {
  if (!p->csv.file)
    return TEXLA_OK;
  clStatus status = TEXLA_OK;
  if (good)
    status = txOutputCommit(&p->csv, error);
  else
    txOutputAbort(&p->csv);
  p->csv = (txOutput){0};
  return status;
}

void demoProbesToggle(demoProbes *p, double x, double y, double near) {
  for (int k = 0; k < p->count; k++)
    if (hypot(x - p->place[k][0], y - p->place[k][1]) < near) {
      p->count--;
      memmove(p->place[k], p->place[k + 1], (size_t)(p->count - k) * sizeof *p->place);
      memmove(p->value[k], p->value[k + 1], (size_t)(p->count - k) * sizeof *p->value);
      return;
    }
  if (p->count == DEMO_PROBES)
    return;
  for (int s = 0; s < DEMO_SAMPLES; s++)
    p->value[p->count][s] = NAN;
  p->place[p->count][0] = x;
  p->place[p->count++][1] = y;
}

void demoProbesForget(demoProbes *p) {
  p->samples = 0;
}

static double valueAt(const demoFieldValues *f, int i, int j) {
  i = txWithin(i, 0, f->nx - 1);
  j = txWithin(j, 0, f->ny - 1);
  return (double)f->value[(size_t)j * (size_t)f->nx + (size_t)i];
}

double demoFieldAt(const demoFieldValues *f, double x, double y) {
  double a = fmin(fmax(x * f->ny - 0.5, -0.5), f->nx), b = fmin(fmax(y * f->ny - 0.5, -0.5), f->ny);
  int i = (int)floor(a), j = (int)floor(b);
  double s = a - i, t = b - j;
  return (1 - t) * ((1 - s) * valueAt(f, i, j) + s * valueAt(f, i + 1, j)) +
         t * ((1 - s) * valueAt(f, i, j + 1) + s * valueAt(f, i + 1, j + 1));
}

void demoProbesTake(demoProbes *p, double time, const demoFieldValues *field) {
  for (int k = 0; k < p->count; k++) {
    double value = demoFieldAt(field, p->place[k][0], p->place[k][1]);
    p->value[k][p->samples % DEMO_SAMPLES] = (float)value;
    if (p->csv.file)
      fprintf(p->csv.file, "%.9g,%.6g,%.6g,%.9g\n", time, p->place[k][0], p->place[k][1], value);
  }
  p->samples++;
}

/* --- plots --- */

static void drawLine(const demoProbes *p, demoOverlay *overlay) {
  const int dots = 60;
  int at[2];
  for (int k = 0; k <= dots; k++) {
    double t = (double)k / dots;
    demoPlace(overlay, p->line[0][0] + t * (p->line[1][0] - p->line[0][0]),
              p->line[0][1] + t * (p->line[1][1] - p->line[0][1]), at);
    demoShade(overlay, at[0] - 1, at[1] - 1, at[0] + 3, at[1] + 3);
    demoFill(overlay, at[0], at[1], at[0] + 2, at[1] + 2, (const uint8_t[]){255, 255, 255});
  }
}

static void drawProfile(const demoProbes *p, const demoFieldValues *field, demoOverlay *overlay,
                        const int box[4]) {
  float row[DEMO_SAMPLES];
  for (int s = 0; s < DEMO_SAMPLES; s++) {
    double t = (double)s / (DEMO_SAMPLES - 1);
    row[s] = (float)demoFieldAt(field, p->line[0][0] + t * (p->line[1][0] - p->line[0][0]),
                                p->line[0][1] + t * (p->line[1][1] - p->line[0][1]));
  }
  demoPlot(overlay, box,
           &(demoCurves){.value = row, .room = DEMO_SAMPLES, .count = 1, .samples = DEMO_SAMPLES});
}

void demoProbesDraw(const demoProbes *p, const demoFieldValues *field, demoOverlay *overlay) {
  /* so many have room for their last values */
  static const char *const names[] = {"", "", "", "", NULL};
  int box[4];
  for (int k = 0; k < p->count; k++)
    demoPlotCross(overlay, p->place[k][0], p->place[k][1], k);
  if (p->lined)
    drawLine(p, overlay);
  if (p->count) {
    demoPlotSlot(overlay, box);
    demoPlot(overlay, box,
             &(demoCurves){.value = p->value[0],
                           .room = DEMO_SAMPLES,
                           .count = p->count,
                           .samples = p->samples,
                           .names = names});
  }
  if (p->lined && field->value) {
    demoPlotSlot(overlay, box);
    drawProfile(p, field, overlay, box);
  }
}
