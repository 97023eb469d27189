#include "common/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/text.h"
#include "core/numbers.h"

const uint8_t *demoPlotColour(int k) {
  enum { COLOURS = 6 };
  static const uint8_t colour[COLOURS][3] = {{255, 214, 92},  {255, 120, 110}, {140, 230, 150},
                                             {220, 160, 255}, {120, 200, 255}, {255, 170, 80}};
  return colour[k % COLOURS];
}

static int keptOf(const demoCurves *c) {
  return txLeast(c->samples, c->room);
}

/* Sample s of those that are kept, the oldest first. */
static double valueOf(const demoCurves *c, int k, int s) {
  return (double)c->value[k * c->room + (c->samples - keptOf(c) + s) % c->room];
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* From the least to the largest value, but a few that lie far from all others, as at a start, may
 * be cut off: those beyond the 2nd and the 98th hundredth by more than a quarter of the distance
 * between these. False: there is none, or no memory to find it, and then the overlay is
 * incomplete. */
static bool findRange(demoOverlay *overlay, const demoCurves *c, double range[2]) {
  int n = 0, kept = keptOf(c);
  double *sorted = malloc((size_t)(c->count * kept) * sizeof *sorted);
  overlay->incomplete |= !sorted;
  for (int k = 0; k < c->count && sorted; k++)
    for (int s = 0; s < kept; s++)
      if (isfinite(valueOf(c, k, s)))
        sorted[n++] = valueOf(c, k, s);
  if (n) {
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    double low = sorted[n / 50], high = sorted[n - 1 - n / 50], more = 0.25 * (high - low);
    range[0] = fmax(sorted[0], low - more);
    range[1] = fmin(sorted[n - 1], high + more);
    double size = fmax(fabs(range[0]), fabs(range[1])), flat = range[1] - range[0] <= 1e-6 * size;
    /* a line in the middle */
    double room = 0.1 * size;
    if (size == 0)
      room = 1;
    range[0] -= flat * room;
    range[1] += flat * room;
  }
  free(sorted);
  return n > 0;
}

/* All kept samples over the width of the box; vertical strokes join them. */
static void drawCurve(demoOverlay *overlay, const int box[4], const demoCurves *c, int k,
                      const double range[2]) {
  /* a line of text is 13 pixels high in small windows, 40 in large ones */
  const int thick = txMost(DEMO_LINE / 13, 1);
  int width = box[2] - box[0], height = box[3] - box[1] - 1 - thick, last = -1;
  for (int x = 0; x < width; x++) {
    double value = valueOf(c, k, (int)((int64_t)x * keptOf(c) / width));
    if (!isfinite(value)) {
      last = -1;
      continue;
    }
    double part = fmin(fmax((value - range[0]) / (range[1] - range[0]), 0), 1);
    int y = box[3] - 1 - thick - (int)(part * height);
    if (last < 0)
      last = y;
    demoFill(overlay, box[0] + x, txLeast(last, y), box[0] + x + thick, txMost(last, y) + thick,
             demoPlotColour(k));
    last = y;
  }
}

/* A curve's name and its last value, in no more than `room` pixels as far as fewer words of the
 * name help; returns how wide it is with its mark. */
static int nameOf(const demoCurves *c, int k, int room, char text[96]) {
  const int beside = 2 * DEMO_LINE + 4;
  char value[32];
  snprintf(value, sizeof value, " %.4g", valueOf(c, k, keptOf(c) - 1));
  int fits = txMost(demoTextFits(c->names[k], room - beside - demoTextWidth(value)), 0);
  if (c->names[k][fits] && c->names[k][fits] != ' ')
    fits = 0;
  snprintf(text, 96, "%.*s%s", fits, c->names[k], value + !fits);
  return demoTextWidth(text) + beside;
}

/* Names and last values in rows of which the first begins at (box[0], top), each name in no more
 * than `room` pixels; those beyond the last of `most` rows are left out. Returns the number of
 * rows. Without an overlay it only counts. */
static int writeNames(demoOverlay *overlay, const int box[4], int top, const demoCurves *c,
                      int room, int most) {
  int x = box[0], rows = 1;
  char text[96];
  for (int k = 0; k < c->count && c->names && c->names[k]; k++) {
    int wide = nameOf(c, k, room, text);
    if (x > box[0] && x + wide - DEMO_LINE > box[2]) {
      x = box[0];
      rows++;
    }
    if (rows > most)
      return most;
    int y = top + (rows - 1) * DEMO_LINE, middle = y + DEMO_LINE / 2;
    if (overlay) {
      demoFill(overlay, x, middle - 1, x + DEMO_LINE, middle + 2, demoPlotColour(k));
      demoText(overlay, x + DEMO_LINE + 4, y, text);
    }
    x += wide;
  }
  return rows;
}

/* Names above a box of curves, whose top comes down for each row but the first. In a box that is
 * too low for that they share one row, and are cut. */
static void placeNames(demoOverlay *overlay, int box[4], const demoCurves *c) {
  const int top = box[1] - DEMO_LINE - 2, least = 4 * DEMO_LINE;
  int room = box[2] - box[0] + DEMO_LINE;
  int rows = writeNames(NULL, box, top, c, room, c->count);
  if (rows > 1 && box[3] - box[1] - (rows - 1) * DEMO_LINE < least) {
    room /= txMost(c->count, 1);
    rows = 1;
  }
  writeNames(overlay, box, top, c, room, rows);
  box[1] += (rows - 1) * DEMO_LINE;
}

void demoPlotSlot(demoOverlay *overlay, int box[4]) {
  const demoArea area = overlay->plots;
  const int gap = 12, slots = txMost(overlay->slots, 1), names = DEMO_LINE + 4;
  const int slot = txLeast(overlay->slot++, slots - 1);
  int width = (area.right - area.left - (slots + 1) * gap) / slots;
  box[0] = area.left + gap + slot * (width + gap);
  box[1] = area.top + names;
  box[3] = area.bottom - 2;
  /* a high area has them above each other */
  if (area.bottom - area.top > area.right - area.left) {
    int height = (area.bottom - area.top) / slots;
    width = area.right - area.left - 2 * gap;
    box[0] = area.left + gap;
    box[1] = area.top + slot * height + names;
    box[3] = area.top + (slot + 1) * height - gap;
  }
  box[2] = box[0] + width;
}

void demoPlot(demoOverlay *overlay, const int place[4], const demoCurves *c) {
  int box[4] = {place[0], place[1], place[2], place[3]};
  double range[2];
  char text[32];
  if (box[0] >= box[2] || box[1] >= box[3] || keptOf(c) < 2 || !findRange(overlay, c, range))
    return;
  placeNames(overlay, box, c);
  demoShade(overlay, box[0] - 2, box[1], box[2] + 2, box[3]);
  for (int k = 0; k < c->count; k++)
    drawCurve(overlay, box, c, k, range);
  for (int end = 0; end < 2; end++) {
    /* what is nothing beside the other end is 0 */
    if (fabs(range[end]) < 1e-4 * fabs(range[1 - end]))
      range[end] = 0;
    snprintf(text, sizeof text, "%.3g", range[end]);
    demoText(overlay, box[0], end ? box[1] : box[3] - DEMO_LINE, text);
  }
}

void demoPlotCross(demoOverlay *overlay, double x, double y, int k) {
  int at[2];
  const int thick = txMost(DEMO_LINE / 13, 1), arm = 5 * thick;
  demoPlace(overlay, x, y, at);
  demoShade(overlay, at[0] - arm - 1, at[1] - 1, at[0] + arm + thick + 1, at[1] + thick + 1);
  demoShade(overlay, at[0] - 1, at[1] - arm - 1, at[0] + thick + 1, at[1] + arm + thick + 1);
  demoFill(overlay, at[0] - arm, at[1], at[0] + arm + thick, at[1] + thick, demoPlotColour(k));
  demoFill(overlay, at[0], at[1] - arm, at[0] + thick, at[1] + arm + thick, demoPlotColour(k));
}
