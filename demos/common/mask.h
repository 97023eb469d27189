/* A picture as a map of obstacles. */
#ifndef DEMOS_COMMON_MASK_H
#define DEMOS_COMMON_MASK_H

#include <stdint.h>

#include "texla/status.h"

/* solid (nx * ny, row 0 at the bottom) <- 1 where the PNG, stretched over the grid, is darker than
 * half grey and not transparent. */
clStatus demoMaskRead(uint8_t *solid, int nx, int ny, const char *path, clError *error);

/* value (nx * ny, row 0 at the bottom) <- the PNG's grey, 0 (black) to 1, interpolated over the
 * grid. */
clStatus demoMaskGrey(float *value, int nx, int ny, const char *path, const char *option,
                      clError *error);

#endif
