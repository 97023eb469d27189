/* The options that all demos share, on top of txCommon's. */
#ifndef DEMOS_COMMON_OPTIONS_H
#define DEMOS_COMMON_OPTIONS_H

#include <stdint.h>

#include "cli/arguments.h"
#include "texla/io.h"

typedef struct demoOptions {
  bool headless;
  int64_t frames; /* 0: not given */
  int64_t steps;  /* per frame */
  const char *out;
  int size[2];
  int colormap;                                    /* clColormap */
  const char *colormaps[TEXLA_COLORMAP_COUNT + 1]; /* their names, filled by demoOptionsTable */
} demoOptions;

enum { DEMO_OPTIONS = 6 };

/* The first entries of a demo's table; `options` holds the defaults and takes the values. */
void demoOptionsTable(txOption table[DEMO_OPTIONS], demoOptions *options);

#endif
