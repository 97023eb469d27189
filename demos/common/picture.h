/* Pictures of fields. */
#ifndef DEMOS_COMMON_PICTURE_H
#define DEMOS_COMMON_PICTURE_H

#include "texla/io.h"

/* rgb (nx * ny * 3 bytes, top row first) <- the field (row 0 at the bottom) as a coloured surface in light from the upper
 * left: middle - range has the colour map's first colour, middle + range its last. */
void demoPictureSurface(uint8_t *rgb, clColormap map, const float *field, int nx, int ny, double middle, double range);

#endif
