/* A picture as a map of obstacles. */
#ifndef DEMOS_COMMON_MASK_H
#define DEMOS_COMMON_MASK_H

#include <stdint.h>

#include "texla/status.h"

/* cover (nx * ny, row 0 at the bottom) <- how much of each cell, 0..1, the PNG, stretched over the
 * grid, has that is darker than half grey and not transparent; looked at in 16 places. */
clStatus demoMaskRead(float *cover, int nx, int ny, const char *path, clError *error);

/* value (nx * ny, row 0 at the bottom) <- the PNG's grey, 0 (black) to 1, interpolated over the
 * grid. */
clStatus demoMaskGrey(float *value, int nx, int ny, const char *path, const char *option,
                      clError *error);

#endif
