#include "common/glyphs.h"

#include <stdlib.h>

#include "common/page.h"

/* of a line */
static int height;

const char *demoGlyphsFile(void) {
  return NULL;
}

clStatus demoGlyphsOpen(void) {
  return TEXLA_OK;
}

int demoGlyphsSize(int line) {
  height = line;
  return (int)(0.8 * line + 0.5);
}

/* The browser draws into a square with the pen in its middle. */
clStatus demoGlyphsMake(demoGlyph *g, int character) {
  const int side = 2 * height;
  *g = (demoGlyph){.width = side, .height = side, .left = -height / 2, .top = -height};
  g->cover = malloc((size_t)side * (size_t)side);
  if (!g->cover)
    return TEXLA_OUT_OF_MEMORY;
  g->advance = (float)demoPageGlyph(character, 0.86 * height, side, -g->left, -g->top, g->cover);
  return TEXLA_OK;
}
