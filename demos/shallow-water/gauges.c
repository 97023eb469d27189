#include "gauges.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/numbers.h"
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
  clKernelDestroy(g->kernel);
  clVectorDestroy(g->levels);
  *g = (Gauges){0};
}

_Static_assert(GAUGES == 4, "the levels of all gauges are one texel");
static const char gather[] =
    "uniform sampler2D z;\n"
    "uniform vec4 columns, rows;\n"
    "float at(float column, float row) {\n"
    "  int c = int(column);\n"
    "  return texelFetch(z, ivec2(c >> 2, int(row)), 0)[c & 3];\n"
    "}\n"
    "vec4 kernel() {\n"
    "  return vec4(at(columns.x, rows.x), at(columns.y, rows.y), at(columns.z, rows.z), at(columns.w, rows.w));\n"
    "}\n";

/* level <- z at the gauges; of those that are not there, at the first cell. */
static clStatus readLevels(Gauges *g, const clVector *z, clWaterInfo info, float level[GAUGES]) {
  clContext *context = clVectorContext(z);
  clKernelRun run = {.input = {{"z", z, true}}, .parameter = {{"columns", GAUGES, {0}}, {"rows", GAUGES, {0}}}};
  for (int k = 0; k < g->count; k++) {
    run.parameter[0].value[k] = (float)(int)(g->place[k][0] * info.nx);
    run.parameter[1].value[k] = (float)(int)(g->place[k][1] * info.ny);
  }
  clStatus status = g->levels ? TEXLA_OK : clVectorCreate(&g->levels, context, GAUGES);
  if (!status && !g->kernel)
    status = clKernelCreate(&g->kernel, context, "demo gauges", gather);
  run.output[0] = g->levels;
  if (!status)
    status = clKernelExecute(g->kernel, &run);
  return status ? status : clVectorDownload(g->levels, level);
}

clStatus gaugesRead(Gauges *g, clWater *water) {
  const clVector *z = NULL;
  clWaterInfo info = clWaterInspect(water);
  float level[GAUGES];
  if (!g->count)
    return TEXLA_OK;
  clStatus status = clWaterGet(&z, water, TEXLA_WATER_Z);
  if (!status)
    status = readLevels(g, z, info, level);
  if (status)
    return status;
  if (g->file)
    fprintf(g->file, "%.9g", info.time);
  for (int k = 0; k < g->count; k++) {
    g->level[k][g->samples % GAUGE_SAMPLES] = level[k] < 1e8f ? level[k] : NAN; /* a wall has been drawn there */
    if (g->file)
      fprintf(g->file, ",%.9g", (double)level[k]);
  }
  if (g->file)
    fprintf(g->file, "\n");
  g->samples++;
  return TEXLA_OK;
}

static void drawCross(demoOverlay *overlay, const double place[2], const uint8_t c[3]) {
  int x = (int)(place[0] * overlay->width), y = (int)((1 - place[1]) * overlay->height);
  demoFill(overlay, x - 5, y, x + 6, y + 1, c);
  demoFill(overlay, x, y - 5, x + 1, y + 6, c);
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
static void drawLine(const Gauges *g, demoOverlay *overlay, int k, int kept, const double range[2], const int box[4]) {
  int width = box[2] - box[0], height = box[3] - box[1] - 2, last = -1;
  for (int x = 0; x < width; x++) {
    int s = g->samples - kept + (int)((int64_t)x * kept / width);
    double value = (double)g->level[k][s % GAUGE_SAMPLES];
    if (!isfinite(value))
      continue;
    int y = box[3] - 2 - (int)((value - range[0]) / (range[1] - range[0]) * height), from = last < 0 ? y : last;
    demoFill(overlay, box[0] + x, txLeast(from, y), box[0] + x + 1, (from < y ? y : from) + 1, colour[k]);
    last = y;
  }
}

void gaugesDraw(const Gauges *g, demoOverlay *overlay, bool hidden) {
  int kept = g->samples < GAUGE_SAMPLES ? g->samples : GAUGE_SAMPLES;
  int width = overlay->width / 3, height = overlay->height / 6;
  const int box[4] = {overlay->width - width - 8, overlay->height - height - 8, overlay->width - 8,
                      overlay->height - 8};
  double range[2];
  char text[32];
  for (int k = 0; k < g->count && !hidden; k++)
    drawCross(overlay, g->place[k], colour[k]);
  if (!g->count || kept < 2 || height < 30)
    return;
  findRange(g, kept, range);
  if (!(range[1] - range[0] > 1e-6)) {
    range[0] -= 0.5e-3;
    range[1] += 0.5e-3;
  }
  demoShade(overlay, box[0] - 2, box[1], box[2] + 2, box[3]);
  for (int k = 0; k < g->count; k++)
    drawLine(g, overlay, k, kept, range, box);
  snprintf(text, sizeof text, "%.3g", range[1]);
  demoText(overlay, box[0], box[1], text);
  snprintf(text, sizeof text, "%.3g", range[0]);
  demoText(overlay, box[0], box[3] - DEMO_LINE, text);
}
