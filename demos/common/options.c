#include "common/options.h"

#include <string.h>

void demoOptionsTable(txOption table[DEMO_OPTIONS], demoOptions *o) {
  const double most = 1e9;
  for (int map = 0; map < TEXLA_COLORMAP_COUNT; map++)
    o->colormaps[map] = clColormapName((clColormap)map);
  const txOption shared[DEMO_OPTIONS] = {
      {"size", TX_OPTION_SIZE, o->size, "NxM", "grid points, columns x rows (default 512x384)"},
      {"headless", TX_OPTION_FLAG, &o->headless, NULL, "write pictures even where a window could be opened"},
      {"frames", TX_OPTION_INTEGER, &o->frames, "N", "end after N pictures (default: 60; a window stays open)", 1,
       most},
      {"steps-per-frame", TX_OPTION_INTEGER, &o->steps, "N", "time steps from one picture to the next", 1, most},
      {"out", TX_OPTION_TEXT, &o->out, "DIR", "the folder for pictures and screenshots, made if need be"},
      {"colormap", TX_OPTION_CHOICE, &o->colormap, NULL, "colours", .choices = o->colormaps},
  };
  memcpy(table, shared, sizeof shared);
}
