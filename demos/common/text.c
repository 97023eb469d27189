#include "common/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/input.h"

/* of memory for characters, since the last text */
static bool starved;

static void *allocate(size_t size) {
  void *memory = malloc(size);
  starved |= !memory;
  return memory;
}

#define STBTT_malloc(size, user) ((void)(user), allocate(size))
#define STBTT_free(memory, user) ((void)(user), free(memory))
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_easy_font.h>
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

enum { FIRST = ' ', LAST = '~', LARGEST_FONT = 1 << 25, STROKES_LINE = 12, QUADS = 4000 };

/* A character's picture: how much of each pixel it covers. */
typedef struct Glyph {
  uint8_t *cover;
  /* left, top: from the pen, on the base line */
  int width, height, left, top;
  float advance;
  bool made;
} Glyph;

static struct {
  bool tried;
  /* NULL: none */
  char *file;
  stbtt_fontinfo info;
  /* pixels */
  int line, ascent;
  float scale;
  /* of the screen: pixels for one */
  double density;
  /* of this size, made when they are needed */
  Glyph glyph[LAST - FIRST + 1];
} font = {.line = STROKES_LINE, .density = 1};

const char *demoTextFont(void) {
  static const char *const places[] = {
      "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
      "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/dejavu/DejaVuSans.ttf",
      "/usr/share/fonts/TTF/DejaVuSans.ttf", "/usr/local/share/fonts/DejaVuSans.ttf"};
  const char *asked = getenv("TEXLA_FONT");
  if (asked && *asked)
    return access(asked, R_OK) == 0 ? asked : NULL;
  for (size_t k = 0; k < sizeof places / sizeof *places; k++)
    if (access(places[k], R_OK) == 0)
      return places[k];
  return NULL;
}

static void loadFont(void) {
  const char *path = demoTextFont();
  clError error;
  font.tried = true;
  clStatus status =
      path ? txInputRead(&font.file, NULL, path, LARGEST_FONT, "font", &error) : TEXLA_IO_ERROR;
  starved |= status == TEXLA_OUT_OF_MEMORY;
  if (status)
    return;
  const unsigned char *bytes = (const unsigned char *)font.file;
  if (font.file && (stbtt_GetNumberOfFonts(bytes) < 1 ||
                    !stbtt_InitFont(&font.info, bytes, stbtt_GetFontOffsetForIndex(bytes, 0)))) {
    free(font.file);
    font.file = NULL;
  }
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
  int ascent, descent, gap, line = height / 40;
  if (!font.tried)
    loadFont();
  line = line < least ? least : line > most ? most : line;
  if (!font.file || line == font.line)
    return;
  for (int k = 0; k <= LAST - FIRST; k++)
    free(font.glyph[k].cover);
  memset(font.glyph, 0, sizeof font.glyph);
  stbtt_GetFontVMetrics(&font.info, &ascent, &descent, &gap);
  font.scale = (float)line / (float)(ascent - descent);
  font.ascent = (int)((float)ascent * font.scale + 0.5f);
  font.line = line;
}

/* One for which there is no memory is tried again when it is next needed. */
static const Glyph *glyphOf(char character) {
  int c = character >= FIRST && character <= LAST ? character : '?';
  Glyph *g = &font.glyph[c - FIRST];
  int advance, bearing;
  if (g->made)
    return g;
  stbtt_GetCodepointHMetrics(&font.info, c, &advance, &bearing);
  g->advance = (float)advance * font.scale;
  g->cover = stbtt_GetCodepointBitmap(&font.info, font.scale, font.scale, c, &g->width, &g->height,
                                      &g->left, &g->top);
  g->made = !starved;
  if (starved) {
    free(g->cover);
    g->cover = NULL;
  }
  return g;
}

int demoTextWidth(const char *text) {
  char copy[256];
  float width = 0;
  snprintf(copy, sizeof copy, "%s", text);
  if (!font.file)
    return stb_easy_font_width(copy);
  for (const char *c = copy; *c; c++)
    width += glyphOf(*c)->advance;
  return (int)(width + 0.5f);
}

static const uint8_t white[] = {255, 255, 255};

/* Runs of pixels that are covered alike become one rectangle. */
static void drawGlyph(demoOverlay *overlay, const Glyph *g, int x, int y) {
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
            y + (font.file ? font.line : STROKES_LINE - 2));
  demoTextBare(overlay, x, y, text);
}

void demoTextBare(demoOverlay *overlay, int x, int y, const char *text) {
  char copy[256];
  float pen = (float)x;
  snprintf(copy, sizeof copy, "%s", text);
  if (!font.file)
    drawStrokes(overlay, x, y, copy);
  for (const char *c = copy; *c && font.file; c++) {
    const Glyph *g = glyphOf(*c);
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
    if (demoTextWidth(copy) > width)
      return word > 0 ? word : k;
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
  double raw = range / count, power = pow(10, floor(log10(raw))), part = raw / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

/* A triangle above (up) or below a row. */
static void drawArrow(demoOverlay *overlay, int left, int width, int y, bool up,
                      const uint8_t rgb[3]) {
  for (int k = 0; 2 * k < width; k++)
    demoFill(overlay, left + k, up ? y - k - 1 : y + k, left + width - k, up ? y - k : y + k + 1,
             rgb);
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
