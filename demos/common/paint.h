/* Pictures of fields, painted on the device: one pass that interpolates, colours and lights. They
 * stay there for a window to draw from; where bytes are needed, one read-back brings a number per
 * pixel. */
#ifndef DEMOS_COMMON_PAINT_H
#define DEMOS_COMMON_PAINT_H

#include "common/camera.h"
#include "common/streams.h"
#include "texla/io.h"
#include "texla/sim.h"

typedef struct demoPaint demoPaint;

/* For pictures of width x height, whole multiples of the grid of nx x ny cells. */
clStatus demoPaintCreate(demoPaint **out, clContext *context, int nx, int ny, int width,
                         int height);
/* NULL is allowed */
void demoPaintDestroy(demoPaint *paint);

/* Cells that are stones, and the distances of all cells' middles from where stones end, in cells,
 * negative within. */
clStatus demoPaintSolid(demoPaint *paint, const uint8_t *solid, const float *walls);
/* How a picture's `solid` holds such a distance: within 0..1, 1/2 at the edge. */
float demoPaintStone(float distance);

/* What values are like outside of stones, where they are zero. */
typedef struct demoSpread {
  /* standard deviations; around zero: sqrt(mean of squares) */
  double mean, around_mean, around_zero;
  /* magnitude; the least value */
  double largest, least;
} demoSpread;
/* `late`: what they were some pictures ago, without waiting for the device; not at first. */
clStatus demoPaintMeasure(demoPaint *paint, const clVector *values, bool late, demoSpread *spread);

/* What is drawn over a field's colours. */
typedef enum demoOver { DEMO_PLAIN, DEMO_ARROWS, DEMO_STREAMLINES } demoOver;

/* How values become a picture. */
typedef struct demoLook {
  clColormap map;
  /* have the map's first colour, and its last */
  double low, high;
  /* as a surface in light from the upper left; with lines of equal values */
  bool lit, lines;
  /* of the grid's size: greyer where it is 1; NULL: none */
  const clVector *tint;
  demoOver over;
  /* of arrows; of streamlines where they are `closed` */
  demoVectors vectors;
  /* not NULL: as a surface seen from there, in light; only the colours of what stands above
   * count */
  const demoCamera *camera;
} demoLook;

/* The picture <- the values (grid layout, the grid's size or a multiple of it). */
clStatus demoPaintField(demoPaint *paint, const clVector *values, const demoLook *look);

/* The picture <- what a kernel of the program's own makes: numbers red + 256 green + 65536 blue, in
 * a vector of the picture's size, or half of it along both axes (`half`). `run` without outputs;
 * inputs with any_layout. Of `look` arrows and streamlines are drawn over it. */
clStatus demoPaintKernel(demoPaint *paint, clKernel *kernel, const clKernelRun *run, bool half,
                         const demoLook *look);

/* The picture on the device, for a window that draws from it: numbers as above, the first row at
 * the bottom; half the picture's size along both axes after such a kernel. Belongs to `paint`, as
 * long as that lives. */
const clVector *demoPaintPicture(const demoPaint *paint);

/* rgb (top row first, rows `stride` pixels apart) <- the picture, enlarged where it is half of the
 * size. One read-back. */
clStatus demoPaintRead(demoPaint *paint, uint8_t *rgb, int stride);

#endif
