/* Pictures of fields, painted on the device: one pass that interpolates, colours and lights. They stay there for a window to
 * draw from; where bytes are needed, one read-back brings a number per pixel. */
#ifndef DEMOS_COMMON_PAINT_H
#define DEMOS_COMMON_PAINT_H

#include "texla/io.h"
#include "texla/texla.h"

typedef struct demoPaint demoPaint;

/* For pictures of width x height, whole multiples of the grid of nx x ny cells. */
clStatus demoPaintCreate(demoPaint **out, clContext *context, int nx, int ny, int width, int height);
void demoPaintDestroy(demoPaint *paint); /* NULL is allowed */

/* The cells that are drawn as stone; NULL: none. */
clStatus demoPaintSolid(demoPaint *paint, const uint8_t *solid);

/* What values are like outside of stones, where they are zero. */
typedef struct demoSpread {
  double mean, around_mean, around_zero; /* standard deviations; around zero: sqrt(mean of squares) */
  double largest;                        /* magnitude */
} demoSpread;
clStatus demoPaintMeasure(demoPaint *paint, const clVector *values, demoSpread *spread);

/* The picture <- the values (grid layout, the grid's size or a multiple of it): low has the colour map's first colour, high its last.
 * `lit`: as a surface in light from the upper left; `lines`: with lines of equal values; `tint` (NULL: none), of the grid's size: darker where it is 1. */
clStatus demoPaintField(demoPaint *paint, const clVector *values, clColormap map, double low, double high, bool lit,
                        bool lines, const clVector *tint);

/* The picture <- what a kernel of the program's own makes: numbers red + 256 green + 65536 blue, in a vector of the picture's size, or
 * half of it along both axes (`half`). `run` without outputs; inputs with any_layout. */
clStatus demoPaintKernel(demoPaint *paint, clKernel *kernel, const clKernelRun *run, bool half);

/* The picture on the device, for a window that draws from it: numbers as above, the first row at the bottom; half the picture's size
 * along both axes after such a kernel. Belongs to `paint`, as long as that lives. */
const clVector *demoPaintPicture(const demoPaint *paint);

/* rgb (top row first) <- the picture, enlarged where it is half of the size. One read-back. */
clStatus demoPaintRead(demoPaint *paint, uint8_t *rgb);

#endif
