#include "common/text.h"

#include <math.h>
#include <stdio.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_easy_font.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

typedef struct Corner { /* of a quad, as stb_easy_font writes them */
  float x, y, z;
  uint8_t color[4];
} Corner;

static void fill(demoImage image, int x0, int y0, int x1, int y1, const uint8_t *color, int darken) {
  for (int y = y0 < 0 ? 0 : y0; y < y1 && y < image.height; y++)
    for (int x = x0 < 0 ? 0 : x0; x < x1 && x < image.width; x++)
      for (int c = 0; c < 3; c++) {
        uint8_t *p = &image.rgb[3 * ((size_t)y * (size_t)image.width + (size_t)x) + (size_t)c];
        *p = (uint8_t)(color ? color[c] : *p / darken);
      }
}

void demoShade(demoImage image, int x0, int y0, int x1, int y1) {
  fill(image, x0, y0, x1, y1, NULL, 3);
}

void demoText(demoImage image, int x, int y, const char *text) {
  static const uint8_t white[] = {255, 255, 255};
  enum { QUADS = 4000 };
  Corner quad[QUADS][4];
  char copy[256];
  snprintf(copy, sizeof copy, "%s", text);
  fill(image, x - 3, y - 2, x + stb_easy_font_width(copy) + 2, y + stb_easy_font_height(copy) - 2, NULL, 3);
  int count = stb_easy_font_print((float)x, (float)y, copy, NULL, quad, sizeof quad);
  for (int k = 0; k < count; k++)
    fill(image, (int)quad[k][0].x, (int)quad[k][0].y, (int)quad[k][2].x, (int)quad[k][2].y, white, 0);
}

void demoColorBar(demoImage image, clColormap map, double low, double high) {
  enum { TICKS = 4 };
  static const uint8_t mark[] = {255, 255, 255};
  const int width = 14, top = 2 * DEMO_LINE, left = image.width - width - 8, bottom = image.height - top;
  char text[32];
  fill(image, left - 1, top - 1, left + width + 1, bottom + 1, NULL, 3);
  for (int y = top; y < bottom; y++) {
    uint8_t rgb[3];
    clColormapColor(rgb, map, 1 - (y - top) / (double)(bottom - top - 1));
    fill(image, left, y, left + width, y + 1, rgb, 0);
  }
  for (int k = 0; k <= TICKS; k++) {
    int y = bottom - 1 - (int)((double)k * (bottom - 1 - top) / TICKS + 0.5);
    double value = low + (high - low) * k / TICKS;
    snprintf(text, sizeof text, "%.3g", fabs(value) < 1e-6 * (high - low) ? 0 : value);
    fill(image, left - 4, y, left, y + 1, mark, 0);
    demoText(image, left - 8 - stb_easy_font_width(text), y - 4, text);
  }
}
