/* Where obstacles end: from how much of each cell they cover to the distance from their edges. */
#ifndef DEMOS_COMMON_WALLS_H
#define DEMOS_COMMON_WALLS_H

#include <stdbool.h>
#include <stdint.h>

enum {
  /* in cells; where there is no obstacle all distances are so long */
  DEMO_FAR = 1000000,
  /* in a cell, where it is asked whether it lies in an obstacle */
  DEMO_PLACES = 16
};

/* The k-th of these, 0..1 along each axis: no two lie above or beside each other, so that edges
 * along an axis are found to a sixteenth of a cell, too. */
void demoWallsPlace(double place[2], int k);

/* distance (nx * ny, of the cells' middles, in cells, negative in obstacles) <- from `cover`, how
 * much of each cell is an obstacle, 0..1. Beside an edge it follows from the cover, which a
 * straight edge makes exact to a hundredth; farther away it solves |grad d| = 1. */
void demoWalls(float *distance, const float *cover, int nx, int ny);

/* cover <- what such distances amount to, in cells that an edge goes through. */
void demoWallsCover(float *cover, const float *distance, int cells);

/* cover <- that of whole cells, a little rounded at their corners. */
void demoWallsRounded(float *cover, const uint8_t *solid, int nx, int ny);

/* Does an edge go through cells, and not between them? */
bool demoWallsCut(const float *distance, int cells);

#endif
