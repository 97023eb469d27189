/* Colour maps for fields: numbers between 0 and 1 become colours that the eye finds as far apart
 * as the numbers are. */
#include <math.h>

#include "core/error.h"
#include "texla/io.h"

/* A map is a list of equidistant colours (0xrrggbb), joined by cubic curves. viridis and magma are
 * samples of the maps by S. van der Walt and N. Smith, turbo of A. Mikhailov's; diverging has
 * lightness and chroma (CIELAB) equal on both sides and linear lightness from 36 to 96. */
typedef struct palette {
  const char *name;
  int count;
  uint32_t colour[18];
} palette;

/* NULL where there is no such map. */
static const palette *findMap(clColormap map) {
  static const palette maps[TEXLA_COLORMAP_COUNT] = {
      {"viridis",
       18,
       {0x440154, 0x481769, 0x472a7a, 0x433d84, 0x3d4e8a, 0x355e8d, 0x2e6d8e, 0x297b8e, 0x23898e,
        0x1f978b, 0x21a585, 0x2eb37c, 0x46c06f, 0x65cb5e, 0x89d548, 0xb0dd2f, 0xd8e219, 0xfde725}},
      {"magma",
       18,
       {0x000004, 0x090720, 0x1a1042, 0x311165, 0x4a1079, 0x621980, 0x792282, 0x912b81, 0xaa337d,
        0xc23b75, 0xd9466b, 0xec5860, 0xf7725c, 0xfc8e64, 0xfeaa74, 0xfec68a, 0xfde2a3, 0xfcfdbf}},
      {"turbo",
       18,
       {0x23171b, 0x493ca9, 0x4665ea, 0x358ef9, 0x28b4e8, 0x26d4c7, 0x36eca0, 0x55fa7c, 0x7ffd5d,
        0xadf545, 0xd8e134, 0xf8c42a, 0xff9f22, 0xff751b, 0xe94c14, 0xc4290b, 0x9f1101, 0x900d00}},
      {"diverging",
       17,
       {0x0d5697, 0x1369b5, 0x2c7bce, 0x528ede, 0x74a2e9, 0x96b5f0, 0xb6caf3, 0xd5def4, 0xf3f3f3,
        0xf6d7d3, 0xf5bcb3, 0xefa196, 0xe5877b, 0xd66f64, 0xc4584f, 0xaa4840, 0x8e3a34}},
      {"grey", 2, {0x000000, 0xffffff}},
  };
  return (unsigned)map < TEXLA_COLORMAP_COUNT ? &maps[map] : NULL;
}

const char *clColormapName(clColormap map) {
  const palette *found = findMap(map);
  return found ? found->name : "unknown colour map";
}

/* One channel (bit position `shift`) at segment k, 0 <= u <= 1: Catmull-Rom through the neighbours,
 * straight beyond the ends. */
static uint8_t interpolate(const palette *map, int k, double u, int shift) {
  double p[4] = {0};
  for (int m = 0; m < 4; m++) {
    int index = k - 1 + m;
    if (index >= 0 && index < map->count)
      p[m] = map->colour[index] >> shift & 0xff;
  }
  if (k == 0)
    p[0] = 2 * p[1] - p[2];
  if (k == map->count - 2)
    p[3] = 2 * p[2] - p[1];
  double slope0 = (p[2] - p[0]) / 2, slope1 = (p[3] - p[1]) / 2, rise = p[2] - p[1];
  double value =
      p[1] + u * (slope0 + u * (3 * rise - 2 * slope0 - slope1 + u * (slope0 + slope1 - 2 * rise)));
  return (uint8_t)(fmin(fmax(value, 0), 255) + 0.5);
}

/* What is no number has a colour that no map has: magenta. */
void clColormapColor(uint8_t rgb[3], clColormap map, double t) {
  const palette *found = findMap(map);
  if (!found || isnan(t)) {
    rgb[0] = rgb[2] = 255;
    rgb[1] = 0;
    return;
  }
  double position = fmin(fmax(t, 0), 1) * (found->count - 1);
  int k = (int)fmin(position, found->count - 2);
  for (int channel = 0; channel < 3; channel++)
    rgb[channel] = interpolate(found, k, position - k, 16 - 8 * channel);
}
