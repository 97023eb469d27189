#include "common/glyphs.h"

#include <stdlib.h>

#include "core/input.h"
#include "platform/platform.h"

/* of memory for characters */
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
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

enum { LARGEST_FONT = 1 << 25 };

static struct {
  char *file;
  stbtt_fontinfo info;
  float scale;
} font;

const char *demoGlyphsFile(void) {
  static const char *const places[] = {
      "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
      "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/dejavu/DejaVuSans.ttf",
      "/usr/share/fonts/TTF/DejaVuSans.ttf", "/usr/local/share/fonts/DejaVuSans.ttf"};
  const char *asked = getenv("TEXLA_FONT");
  if (asked && *asked)
    return txPathReadable(asked) ? asked : NULL;
  for (size_t k = 0; k < sizeof places / sizeof *places; k++)
    if (txPathReadable(places[k]))
      return places[k];
  return NULL;
}

clStatus demoGlyphsOpen(void) {
  const char *path = demoGlyphsFile();
  clError error;
  clStatus status =
      path ? txInputRead(&font.file, NULL, path, LARGEST_FONT, "font", &error) : TEXLA_IO_ERROR;
  if (status)
    return status;
  const unsigned char *bytes = (const unsigned char *)font.file;
  if (stbtt_GetNumberOfFonts(bytes) >= 1 &&
      stbtt_InitFont(&font.info, bytes, stbtt_GetFontOffsetForIndex(bytes, 0)))
    return TEXLA_OK;
  free(font.file);
  font.file = NULL;
  return TEXLA_IO_ERROR;
}

int demoGlyphsSize(int line) {
  int ascent, descent, gap;
  stbtt_GetFontVMetrics(&font.info, &ascent, &descent, &gap);
  font.scale = (float)line / (float)(ascent - descent);
  return (int)((float)ascent * font.scale + 0.5f);
}

clStatus demoGlyphsMake(demoGlyph *g, int character) {
  int advance, bearing;
  starved = false;
  stbtt_GetCodepointHMetrics(&font.info, character, &advance, &bearing);
  g->advance = (float)advance * font.scale;
  g->cover = stbtt_GetCodepointBitmap(&font.info, font.scale, font.scale, character, &g->width,
                                      &g->height, &g->left, &g->top);
  if (!starved)
    return TEXLA_OK;
  free(g->cover);
  g->cover = NULL;
  return TEXLA_OUT_OF_MEMORY;
}
