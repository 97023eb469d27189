/* Pictures of characters, from a font: DejaVu Sans (or the one that TEXLA_FONT names) where it is
 * installed (glyphs.c), that of the page in a browser (glyphs_web.c). */
#ifndef DEMOS_COMMON_GLYPHS_H
#define DEMOS_COMMON_GLYPHS_H

#include <stdbool.h>
#include <stdint.h>

#include "texla/status.h"

typedef struct demoGlyph {
  /* how much of each pixel it covers; the owner frees it. NULL: of none */
  uint8_t *cover;
  /* left, top: from the pen, on the base line */
  int width, height, left, top;
  /* of the pen */
  float advance;
} demoGlyph;

/* The font's file, or NULL. */
const char *demoGlyphsFile(void);
/* TEXLA_IO_ERROR: there is no font. */
clStatus demoGlyphsOpen(void);
/* In lines of so many pixels from now on; returns how far the base line is from a line's top. */
int demoGlyphsSize(int line);
/* A character's; TEXLA_OUT_OF_MEMORY leaves `cover` NULL. */
clStatus demoGlyphsMake(demoGlyph *glyph, int character);

#endif
