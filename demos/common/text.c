#include "common/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/glyphs.h"
#include "core/numbers.h"

/* of memory for characters, since the last text */
static bool starved;

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_easy_font.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

enum { FIRST = ' ', LAST = '~', STROKES_LINE = 12, QUADS = 4000 };

static struct {
  /* it has been looked for; it is there */
  bool tried, found;
  /* pixels */
  int line, ascent;
  /* of the screen: pixels for one */
  double density;
  /* of this size, made when they are needed */
  demoGlyph glyph[LAST - FIRST + 1];
  bool made[LAST - FIRST + 1];
} font = {.line = STROKES_LINE, .density = 1};

const char *demoTextFont(void) {
  return demoGlyphsFile();
}

static void loadFont(void) {
  clStatus status = demoGlyphsOpen();
  font.tried = true;
  font.found = !status;
  starved |= status == TEXLA_OUT_OF_MEMORY;
}

int demoTextLine(void) {
  return font.line;
}

void demoTextDensity(double density) {
  font.density = density;
}

/* A line is the 40th part of the picture, within bounds. */
void demoTextFor(int height) {
  const int least = (int)(13 * font.density + 0.5), most = (int)(40 * font.density + 0.5);
  int line = height / 40;
  if (!font.tried)
    loadFont();
  line = txWithin(line, least, most);
  if (!font.found || line == font.line)
    return;
  for (int k = 0; k <= LAST - FIRST; k++)
    free(font.glyph[k].cover);
  memset(font.glyph, 0, sizeof font.glyph);
  memset(font.made, 0, sizeof font.made);
  font.ascent = demoGlyphsSize(line);
  font.line = line;
}

/* One for which there is no memory is tried again when it is next needed. */
static const demoGlyph *glyphOf(char character) {
  int c = character >= FIRST && character <= LAST ? character : '?';
  demoGlyph *g = &font.glyph[c - FIRST];
  if (font.made[c - FIRST])
    return g;
  font.made[c - FIRST] = !demoGlyphsMake(g, c);
  starved |= !font.made[c - FIRST];
  return g;
}

int demoTextWidth(const char *text) {
  char copy[256];
  float width = 0;
  snprintf(copy, sizeof copy, "%s", text);
  if (!font.found)
    return stb_easy_font_width(copy);
  for (const char *c = copy; *c; c++)
    width += glyphOf(*c)->advance;
  return (int)(width + 0.5f);
}

static const uint8_t white[] = {255, 255, 255};

/* Runs of pixels that are covered alike become one rectangle. */
static void drawGlyph(demoOverlay *overlay, const demoGlyph *g, int x, int y) {
  /* eight degrees of covering are enough */
  const int coarse = 0xe0;
  for (int j = 0; j < g->height && g->cover; j++)
    for (int i = 0, run; i < g->width; i += run) {
      const uint8_t *row = g->cover + (size_t)j * (size_t)g->width;
      int cover = row[i] & coarse;
      for (run = 1; i + run < g->width && (row[i + run] & coarse) == cover; run++)
        ;
      if (cover)
        demoBlend(overlay, x + g->left + i, y + g->top + j, x + g->left + i + run,
                  y + g->top + j + 1, white, (uint8_t)(cover | 0x1f));
    }
}

static void drawStrokes(demoOverlay *overlay, int x, int y, char *text) {
  /* of a quad, as stb_easy_font writes them */
  typedef struct Corner {
    float x, y, z;
    uint8_t color[4];
  } Corner;
  Corner quad[QUADS][4];
  int count = stb_easy_font_print((float)x, (float)y, text, NULL, quad, sizeof quad);
  for (int k = 0; k < count; k++)
    demoFill(overlay, (int)quad[k][0].x, (int)quad[k][0].y, (int)quad[k][2].x, (int)quad[k][2].y,
             white);
}

void demoText(demoOverlay *overlay, int x, int y, const char *text) {
  demoShade(overlay, x - 3, y - 2, x + demoTextWidth(text) + 3,
            y + (font.found ? font.line : STROKES_LINE - 2));
  demoTextBare(overlay, x, y, text);
}

void demoTextBare(demoOverlay *overlay, int x, int y, const char *text) {
  char copy[256];
  float pen = (float)x;
  snprintf(copy, sizeof copy, "%s", text);
  if (!font.found)
    drawStrokes(overlay, x, y, copy);
  for (const char *c = copy; *c && font.found; c++) {
    const demoGlyph *g = glyphOf(*c);
    drawGlyph(overlay, g, (int)(pen + 0.5f), y + font.ascent);
    pen += g->advance;
  }
  overlay->incomplete |= starved;
  starved = false;
}

int demoTextFits(const char *text, int width) {
  char copy[256];
  int length = (int)strlen(text), word = 0;
  for (int k = 0; k < length && k < (int)sizeof copy - 1; k++) {
    snprintf(copy, (size_t)k + 2, "%s", text);
    if (demoTextWidth(copy) > width && word > 0)
      return word;
    if (demoTextWidth(copy) > width)
      return k;
    if (text[k + 1] == ' ')
      word = k + 1;
  }
  return length;
}

void demoTextIn(demoOverlay *overlay, const demoArea *area, int line, const char *text) {
  static const char dots[] = " ...";
  const int gap = 6;
  char copy[256];
  int width = area->right - area->left - 2 * gap, top = area->top + line * font.line;
  if (top + font.line > area->bottom || width <= 0)
    return;
  snprintf(copy, sizeof copy, "%s", text);
  if (demoTextWidth(copy) > width) {
    int fits = demoTextFits(text, width - demoTextWidth(dots));
    snprintf(copy, sizeof copy, "%.*s%s", fits, text, dots);
  }
  if (demoTextWidth(copy) <= width)
    demoTextBare(overlay, area->left + gap, top + font.line / 8, copy);
}

/* --- the bar --- */

/* 1, 2 or 5 times a power of ten, so that about `count` of it make up the range. */
static double roundStep(double range, int count) {
  static const double round[] = {1, 2, 5, 10};
  double raw = range / count, power = pow(10, floor(log10(raw))), part = raw / power;
  return power * round[(part >= 1.5) + (part >= 3.5) + (part >= 7.5)];
}

/* A triangle above (up) or below a row. */
static void drawArrow(demoOverlay *overlay, int left, int width, int y, bool up,
                      const uint8_t rgb[3]) {
  for (int k = 0; 2 * k < width; k++) {
    int row = y + k;
    if (up)
      row = y - k - 1;
    demoFill(overlay, left + k, row, left + width - k, row + 1, rgb);
  }
}

int demoColorBarWidth(void) {
  return font.line + 2 + 8 + 10 + demoTextWidth("-0.0000") + 6;
}

/* Marks at round values, with their numbers to the left. */
static void drawMarks(demoOverlay *overlay, const demoArea *bar, const double range[2]) {
  const int most = 6, least = 2, height = bar->bottom - bar->top;
  double low = range[0], size = range[1] - range[0];
  char text[32];
  if (!(size > 0) || !isfinite(size))
    return;
  int count = height / (2 * font.line);
  if (count < least)
    count = least;
  if (count > most)
    count = most;
  double step = roundStep(size, count);
  for (double k = ceil(low / step - 1e-9); k * step <= range[1] + 1e-9 * size; k++) {
    int y = bar->bottom - 1 - (int)((k * step - low) / size * (height - 1) + 0.5);
    snprintf(text, sizeof text, "%.6g", k * step + 0.0);
    demoFill(overlay, bar->left - 4, y, bar->left, y + 1, white);
    demoText(overlay, bar->left - 8 - demoTextWidth(text), y - font.line / 2 + 1, text);
  }
}

void demoColorBar(demoOverlay *overlay, const demoArea *area, clColormap map, const double range[2],
                  bool below, bool above) {
  const int width = font.line + 2, margin = 2 * font.line;
  const demoArea bar = {area->right - width - 8, area->top + margin, area->right - 8,
                        area->bottom - margin};
  uint8_t rgb[3];
  if (bar.top >= bar.bottom || bar.left < area->left)
    return;
  demoShade(overlay, bar.left - 1, bar.top - 1, bar.right + 1, bar.bottom + 1);
  for (int y = bar.top; y < bar.bottom; y++) {
    clColormapColor(rgb, map, 1 - (y - bar.top) / (double)(bar.bottom - bar.top - 1));
    demoFill(overlay, bar.left, y, bar.right, y + 1, rgb);
  }
  clColormapColor(rgb, map, 1);
  if (above)
    drawArrow(overlay, bar.left, width, bar.top - 1, true, rgb);
  clColormapColor(rgb, map, 0);
  if (below)
    drawArrow(overlay, bar.left, width, bar.bottom + 1, false, rgb);
  drawMarks(overlay, &bar, range);
}
