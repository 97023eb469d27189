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

void demoText(demoOverlay *overlay, int x, int y, const char *text) {
  static const uint8_t white[] = {255, 255, 255};
  enum { QUADS = 4000 };
  Corner quad[QUADS][4];
  char copy[256];
  snprintf(copy, sizeof copy, "%s", text);
  demoShade(overlay, x - 3, y - 2, x + stb_easy_font_width(copy) + 2, y + stb_easy_font_height(copy) - 2);
  int count = stb_easy_font_print((float)x, (float)y, copy, NULL, quad, sizeof quad);
  for (int k = 0; k < count; k++)
    demoFill(overlay, (int)quad[k][0].x, (int)quad[k][0].y, (int)quad[k][2].x, (int)quad[k][2].y, white);
}

void demoColorBar(demoOverlay *overlay, clColormap map, double low, double high) {
  enum { TICKS = 4 };
  static const uint8_t mark[] = {255, 255, 255};
  const int width = 14, top = 2 * DEMO_LINE, left = overlay->width - width - 8, bottom = overlay->height - top;
  char text[32];
  demoShade(overlay, left - 1, top - 1, left + width + 1, bottom + 1);
  for (int y = top; y < bottom; y++) {
    uint8_t rgb[3];
    clColormapColor(rgb, map, 1 - (y - top) / (double)(bottom - top - 1));
    demoFill(overlay, left, y, left + width, y + 1, rgb);
  }
  for (int k = 0; k <= TICKS; k++) {
    int y = bottom - 1 - (int)((double)k * (bottom - 1 - top) / TICKS + 0.5);
    double value = low + (high - low) * k / TICKS;
    snprintf(text, sizeof text, "%.3g", fabs(value) < 1e-6 * (high - low) ? 0 : value);
    demoFill(overlay, left - 4, y, left, y + 1, mark);
    demoText(overlay, left - 8 - stb_easy_font_width(text), y - 4, text);
  }
}
