#include "gauges.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "io/number.h"

static const uint8_t colour[GAUGES][3] = {{255, 214, 92}, {255, 120, 110}, {140, 230, 150}, {220, 160, 255}};

static clStatus parsePlaces(Gauges *g, const char *text, clError *error) {
  const char *at = text;
  for (g->count = 0; at && g->count < GAUGES; g->count++) {
    double *place = g->place[g->count];
    at = txNumberParse(at, &place[0]);
    at = at && *at == ',' ? txNumberParse(at + 1, &place[1]) : NULL;
    if (!at || !(place[0] >= 0 && place[0] < 1 && place[1] >= 0 && place[1] < 1) || (*at && *at != ';'))
      return txFail(error, TEXLA_BAD_ARGUMENT, "--gauges", "'%s' is not like 0.3,0.5;0.7,0.5 with numbers from 0 to 1",
                    text);
    if (!*at++) {
      g->count++;
      return TEXLA_OK;
    }
  }
  return txFail(error, TEXLA_BAD_ARGUMENT, "--gauges", "'%s' has more than %d places", text, GAUGES);
}

clStatus gaugesCreate(Gauges *g, const double own[GAUGES][2], const char *places, const char *path, clError *error) {
  *g = (Gauges){.path = path};
  clStatus status = places ? parsePlaces(g, places, error) : TEXLA_OK;
  while (!places && g->count < GAUGES && own[g->count][0] > 0) {
    memcpy(g->place[g->count], own[g->count], sizeof g->place[0]);
    g->count++;
  }
  if (status || !path)
    return status;
  g->file = fopen(path, "w");
  if (!g->file)
    return txFail(error, TEXLA_IO_ERROR, "--gauge-csv", "cannot write %s: %s", path, strerror(errno));
  fprintf(g->file, "time");
  for (int k = 0; k < g->count; k++)
    fprintf(g->file, ",level at %.4g;%.4g", g->place[k][0], g->place[k][1]);
  fprintf(g->file, "\n");
  return TEXLA_OK;
}

clStatus gaugesClose(Gauges *g, clError *error) {
  FILE *file = g->file;
  bool failed = file && ferror(file);
  g->file = NULL;
  if (file && (fclose(file) != 0 || failed))
    return txFail(error, TEXLA_IO_ERROR, "--gauge-csv", "cannot write %s", g->path);
  return TEXLA_OK;
}

void gaugesDestroy(Gauges *g) {
  gaugesClose(g, NULL);
  free(g->values);
  *g = (Gauges){0};
}

clStatus gaugesRead(Gauges *g, clWater *water) {
  const clVector *z = NULL;
  clWaterInfo info = clWaterInspect(water);
  if (!g->count)
    return TEXLA_OK;
  g->values = g->values ? g->values : malloc((size_t)info.nx * (size_t)info.ny * sizeof *g->values);
  if (!g->values)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = clWaterGet(&z, water, TEXLA_WATER_Z);
  if (!status)
    status = clVectorDownload(z, g->values);
  if (status)
    return status;
  if (g->file)
    fprintf(g->file, "%.9g", info.time);
  for (int k = 0; k < g->count; k++) {
    int i = (int)(g->place[k][0] * info.nx), j = (int)(g->place[k][1] * info.ny);
    float level = g->values[j * info.nx + i];
    g->level[k][g->samples % GAUGE_SAMPLES] = level < 1e8f ? level : NAN; /* a wall has been drawn there */
    if (g->file)
      fprintf(g->file, ",%.9g", (double)level);
  }
  if (g->file)
    fprintf(g->file, "\n");
  g->samples++;
  return TEXLA_OK;
}

static void dot(demoImage image, int x, int y, const uint8_t c[3]) {
  if (x >= 0 && y >= 0 && x < image.width && y < image.height)
    memcpy(image.rgb + 3 * ((size_t)y * (size_t)image.width + (size_t)x), c, 3);
}

static void drawCross(demoImage image, const double place[2], const uint8_t c[3]) {
  int x = (int)(place[0] * image.width), y = (int)((1 - place[1]) * image.height);
  for (int k = -5; k <= 5; k++) {
    dot(image, x + k, y, c);
    dot(image, x, y + k, c);
  }
}

/* The lowest and the highest of all levels kept. */
static void findRange(const Gauges *g, int kept, double range[2]) {
  range[0] = INFINITY;
  range[1] = -INFINITY;
  for (int k = 0; k < g->count; k++)
    for (int s = 0; s < kept; s++)
      if (isfinite(g->level[k][s])) {
        range[0] = fmin(range[0], (double)g->level[k][s]);
        range[1] = fmax(range[1], (double)g->level[k][s]);
      }
}

/* One gauge's line, `width` pixels for the samples kept; vertical strokes join them. */
static void drawLine(const Gauges *g, demoImage image, int k, int kept, const double range[2], const int box[4]) {
  int width = box[2] - box[0], height = box[3] - box[1] - 2, last = -1;
  for (int x = 0; x < width; x++) {
    int s = g->samples - kept + (int)((int64_t)x * kept / width);
    double value = (double)g->level[k][s % GAUGE_SAMPLES];
    if (!isfinite(value))
      continue;
    int y = box[3] - 2 - (int)((value - range[0]) / (range[1] - range[0]) * height), from = last < 0 ? y : last;
    for (int q = from < y ? from : y; q <= (from < y ? y : from); q++)
      dot(image, box[0] + x, q, colour[k]);
    last = y;
  }
}

void gaugesDraw(const Gauges *g, demoImage image, bool hidden) {
  int kept = g->samples < GAUGE_SAMPLES ? g->samples : GAUGE_SAMPLES;
  int width = image.width / 3, height = image.height / 6;
  const int box[4] = {image.width - width - 8, image.height - height - 8, image.width - 8, image.height - 8};
  double range[2];
  char text[32];
  for (int k = 0; k < g->count && !hidden; k++)
    drawCross(image, g->place[k], colour[k]);
  if (!g->count || kept < 2 || height < 30)
    return;
  findRange(g, kept, range);
  if (!(range[1] - range[0] > 1e-6)) {
    range[0] -= 0.5e-3;
    range[1] += 0.5e-3;
  }
  demoShade(image, box[0] - 2, box[1], box[2] + 2, box[3]);
  for (int k = 0; k < g->count; k++)
    drawLine(g, image, k, kept, range, box);
  snprintf(text, sizeof text, "%.3g", range[1]);
  demoText(image, box[0], box[1], text);
  snprintf(text, sizeof text, "%.3g", range[0]);
  demoText(image, box[0], box[3] - DEMO_LINE, text);
}
