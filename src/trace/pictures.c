/* PNG files of what passes have drawn, in the colours of the page. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "texla/io.h"
#include "trace/trace.h"

/* A number is a square of so many pixels. Lanes lie as in the page: those of a dense matrix as its
 * entries, with row 0 at the top, others in a row, with row 0 at the bottom.
 *
 * A texel has columns x rows lanes, the picture width x height numbers of pixels x pixels. */
typedef struct placing {
  int columns, rows, pixels, width, height;
  bool top;
} placing;

/* Small textures get large squares, so that pictures are about 256 pixels wide at least. */
static placing picturesPlaceOf(const txTraceImage *m) {
  const txTexture *t = m->texture;
  bool dense = t->meaning.kind && !strcmp(t->meaning.kind, "dense");
  placing p = {.columns = m->channels, .rows = 1, .pixels = 1, .top = dense};
  if (dense) {
    p.columns = (int)t->meaning.size[3];
    p.rows = (int)t->meaning.size[2];
  }
  p.width = t->width * p.columns;
  p.height = t->height * p.rows;
  int most = p.width > p.height ? p.width : p.height;
  if (most < 256)
    p.pixels = 256 / most;
  return p;
}

/* The colour of a number in the scale of its image: around zero where that has both signs. */
static void colourOf(uint8_t colour[3], const txTraceImage *m, double v) {
  bool both = m->least < 0 && m->most > 0;
  clColormap map = both ? TEXLA_COLORMAP_DIVERGING : TEXLA_COLORMAP_VIRIDIS;
  double high = m->most, low = m->least, place = 0.5;
  if (both) {
    high = fmax(-m->least, m->most);
    low = -high;
  }
  if (!isfinite(v))
    place = NAN;
  else if (high > low)
    place = (v - low) / (high - low);
  clColormapColor(colour, map, place);
}

/* Fills the square of one number; what only fills a texel stays white. */
static void picturesFill(uint8_t *rgb, const txTraceImage *m, const placing *p, int x, int y,
                         int lane, size_t i) {
  int column = x * p->columns + lane % p->columns, row = y * p->rows + lane / p->columns;
  uint8_t colour[3] = {255, 255, 255};
  if (txTraceHolds(m->texture, x, y, lane))
    colourOf(colour, m, txTraceValue(m, i));
  if (!p->top)
    row = p->height - 1 - row;
  for (int dy = 0; dy < p->pixels; dy++)
    for (int dx = 0; dx < p->pixels; dx++)
      memcpy(rgb + 3 * (((size_t)row * (size_t)p->pixels + (size_t)dy) * (size_t)p->width *
                            (size_t)p->pixels +
                        (size_t)column * (size_t)p->pixels + (size_t)dx),
             colour, 3);
}

/* One pixel is three bytes, and rows follow each other without padding. */
static clStatus writePicture(const txTraceImage *m, const char *path, clError *error) {
  placing p = picturesPlaceOf(m);
  uint8_t *rgb =
      malloc(3 * (size_t)p.width * (size_t)p.height * (size_t)p.pixels * (size_t)p.pixels);
  if (!rgb)
    return TEXLA_OUT_OF_MEMORY;
  size_t i = 0;
  for (int y = 0; y < m->texture->height; y++)
    for (int x = 0; x < m->texture->width; x++)
      for (int lane = 0; lane < m->channels; lane++, i++)
        picturesFill(rgb, m, &p, x, y, lane, i);
  clStatus status = clPngWrite(path, rgb, p.width * p.pixels, p.height * p.pixels, error);
  free(rgb);
  return status;
}

/* Pictures of one pass are numbered from 0. */
void txTracePicture(txTrace *t, const txTraceImage *m, int64_t pass) {
  char path[4096 + 64];
  clError error = {0};
  if (t->picture[0] == pass)
    t->picture[1]++;
  else
    t->picture[1] = 0;
  t->picture[0] = pass;
  snprintf(path, sizeof path, "%s/pictures", t->folder);
  if (!txFolderCreate(path) && errno != EEXIST)
    snprintf(error.message, sizeof error.message, "cannot make the folder %.400s: %s", path,
             strerror(errno));
  snprintf(path, sizeof path, "%s/pictures/pass-%05lld-%d.png", t->folder, (long long)pass,
           (int)t->picture[1]);
  if (!error.message[0] && !writePicture(m, path, &error))
    return;
  txContextLog(t->context, TEXLA_LOG_WARNING, "the trace goes on without PNG files: %s",
               error.message);
  t->choice.pictures = false;
}
