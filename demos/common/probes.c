#include "common/probes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "core/error.h"
#include "io/number.h"

enum { COLOURS = 6 };
static const uint8_t colour[COLOURS][3] = {{255, 214, 92},  {255, 120, 110}, {140, 230, 150},
                                           {220, 160, 255}, {120, 200, 255}, {255, 170, 80}};

clStatus demoProbesRead(demoProbes *p, const char *text, clError *error) {
  for (const char *at = text; at;) {
    double place[2] = {NAN, NAN};
    at = txNumberParse(at, &place[0]);
    at = at && *at == ',' ? txNumberParse(at + 1, &place[1]) : NULL;
    if (!at || !isfinite(place[0]) || !isfinite(place[1]) || (*at && *at != ';'))
      return txFail(error, TEXLA_BAD_ARGUMENT, "--probes", "'%s' is not like 0.3,0.5;0.7,0.5", text);
    if (p->count == DEMO_PROBES)
      return txFail(error, TEXLA_BAD_ARGUMENT, "--probes", "more than %d places", DEMO_PROBES);
    memcpy(p->place[p->count++], place, sizeof place);
    at = *at ? at + 1 : NULL;
  }
  return TEXLA_OK;
}

clStatus demoProbesOpen(demoProbes *p, const char *path, clError *error) {
  clStatus status = txOutputOpen(&p->csv, path, "--probe-csv", error);
  if (!status)
    fprintf(p->csv.file, "time,x,y,value\n");
  return status;
}

clStatus demoProbesClose(demoProbes *p, bool good, clError *error) {
  if (!p->csv.file)
    return TEXLA_OK;
  clStatus status = good ? txOutputCommit(&p->csv, error) : TEXLA_OK;
  if (!good)
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
  i = i < 0 ? 0 : i < f->nx ? i : f->nx - 1;
  j = j < 0 ? 0 : j < f->ny ? j : f->ny - 1;
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

/* A curve of `count` values in a box of the picture: left, top, right, bottom; vertical strokes join them. */
static void drawCurve(demoOverlay *overlay, const float *values, int count, const double range[2], const int box[4],
                      const uint8_t ink[3]) {
  int width = box[2] - box[0], height = box[3] - box[1] - 2, last = -1;
  for (int x = 0; x < width && count > 0; x++) {
    double value = (double)values[(int64_t)x * count / width];
    if (!isfinite(value))
      continue;
    int y = box[3] - 2 - (int)((value - range[0]) / (range[1] - range[0]) * height), from = last < 0 ? y : last;
    demoFill(overlay, box[0] + x, from < y ? from : y, box[0] + x + 1, (from < y ? y : from) + 1, ink);
    last = y;
  }
}

static void widen(double range[2], const float *values, int count) {
  for (int k = 0; k < count; k++)
    if (isfinite(values[k])) {
      range[0] = fmin(range[0], (double)values[k]);
      range[1] = fmax(range[1], (double)values[k]);
    }
}

/* The ground of a plot with the values at its ends. */
static void drawBox(demoOverlay *overlay, const int box[4], double range[2]) {
  char text[32];
  double least = 1e-6 * fmax(fabs(range[0]), 1e-6);
  if (!(range[1] - range[0] > least)) {
    range[0] -= least;
    range[1] += least;
  }
  demoShade(overlay, box[0] - 2, box[1], box[2] + 2, box[3]);
  snprintf(text, sizeof text, "%.3g", range[1]);
  demoText(overlay, box[0], box[1], text);
  snprintf(text, sizeof text, "%.3g", range[0]);
  demoText(overlay, box[0], box[3] - DEMO_LINE, text);
}

static void drawHistory(const demoProbes *p, demoOverlay *overlay, const int box[4]) {
  int kept = p->samples < DEMO_SAMPLES ? p->samples : DEMO_SAMPLES;
  double range[2] = {INFINITY, -INFINITY};
  float row[DEMO_SAMPLES];
  for (int k = 0; k < p->count; k++)
    widen(range, p->value[k], kept);
  if (kept < 2 || !(range[0] <= range[1]))
    return;
  drawBox(overlay, box, range);
  for (int k = 0; k < p->count; k++) {
    for (int s = 0; s < kept; s++)
      row[s] = p->value[k][(p->samples - kept + s) % DEMO_SAMPLES];
    drawCurve(overlay, row, kept, range, box, colour[k % COLOURS]);
  }
}

static void drawProfile(const demoProbes *p, const demoFieldValues *field, demoOverlay *overlay, const int box[4]) {
  double range[2] = {INFINITY, -INFINITY};
  float row[DEMO_SAMPLES];
  for (int s = 0; s < DEMO_SAMPLES; s++) {
    double t = s / (DEMO_SAMPLES - 1.);
    row[s] = (float)demoFieldAt(field, p->line[0][0] + t * (p->line[1][0] - p->line[0][0]),
                                p->line[0][1] + t * (p->line[1][1] - p->line[0][1]));
  }
  widen(range, row, DEMO_SAMPLES);
  if (!(range[0] <= range[1]))
    return;
  drawBox(overlay, box, range);
  drawCurve(overlay, row, DEMO_SAMPLES, range, box, (const uint8_t[]){255, 255, 255});
}

static void drawCross(demoOverlay *overlay, double x, double y, const uint8_t ink[3]) {
  int i = (int)(x * overlay->height), j = (int)((1 - y) * overlay->height);
  demoFill(overlay, i - 5, j, i + 6, j + 1, ink);
  demoFill(overlay, i, j - 5, i + 1, j + 6, ink);
}

void demoProbesDraw(const demoProbes *p, const demoFieldValues *field, demoOverlay *overlay) {
  const int width = overlay->width / 3, height = overlay->height / 5, dots = 60;
  const int low = overlay->height - 30;
  for (int k = 0; k < p->count; k++)
    drawCross(overlay, p->place[k][0], p->place[k][1], colour[k % COLOURS]);
  for (int k = 0; k <= dots && p->lined; k++) {
    double x = p->line[0][0] + (p->line[1][0] - p->line[0][0]) * k / dots;
    double y = p->line[0][1] + (p->line[1][1] - p->line[0][1]) * k / dots;
    int i = (int)(x * overlay->height), j = (int)((1 - y) * overlay->height);
    demoFill(overlay, i, j, i + 2, j + 2, (const uint8_t[]){255, 255, 255});
  }
  if (p->count)
    drawHistory(p, overlay, (const int[]){12, low - height, 12 + width, low});
  if (p->lined && field)
    drawProfile(p, field, overlay, (const int[]){24 + width, low - height, 24 + 2 * width, low});
}
