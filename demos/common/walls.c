#include "common/walls.h"
#include "core/numbers.h"

#include <math.h>

void demoWallsPlace(double place[2], int k) {
  int i = k % 4, j = k / 4;
  place[0] = (4 * i + j + 0.5) / 16;
  place[1] = (4 * j + 3 - i + 0.5) / 16;
}

static float heldAt(const float *field, int nx, int ny, int i, int j) {
  return field[txWithin(j, 0, ny - 1) * nx + txWithin(i, 0, nx - 1)];
}

/* Does an edge go through the cell, or between it and the next one? */
static bool isEdge(const float *cover, int nx, int ny, int i, int j) {
  float here = cover[j * nx + i], other = 1 - here;
  if (here > 0 && here < 1)
    return true;
  return heldAt(cover, nx, ny, i - 1, j) == other || heldAt(cover, nx, ny, i + 1, j) == other ||
         heldAt(cover, nx, ny, i, j - 1) == other || heldAt(cover, nx, ny, i, j + 1) == other;
}

/* The distance of a unit square's middle from a straight edge with the unit normal (a, b), a >= b
 * >= 0, that cuts the part `less` <= 1/2 of it off: a corner, or more. */
static double behindEdge(double a, double b, double less) {
  if (2 * a * less < b)
    return (a + b) / 2 - sqrt(2 * a * b * less);
  return a * (0.5 - less);
}

/* Whole cells end half a cell from their middles. */
static float besideEdge(const float *cover, int nx, int ny, int i, int j) {
  double here = (double)cover[j * nx + i], rise[2] = {0, 0};
  if (here == 0 || here == 1)
    return (float)(0.5 - here);
  for (int k = -1; k <= 1; k++) {
    double weight = 1 + (k == 0);
    rise[0] += weight *
               (double)(heldAt(cover, nx, ny, i + 1, j + k) - heldAt(cover, nx, ny, i - 1, j + k));
    rise[1] += weight *
               (double)(heldAt(cover, nx, ny, i + k, j + 1) - heldAt(cover, nx, ny, i + k, j - 1));
  }
  double steep = hypot(rise[0], rise[1]);
  double most = fmax(fabs(rise[0]), fabs(rise[1])), least = fmin(fabs(rise[0]), fabs(rise[1]));
  if (steep == 0)
    return (float)(0.5 - here);
  double away = behindEdge(most / steep, least / steep, fmin(here, 1 - here));
  return (float)copysign(away, 0.5 - here);
}

/* |d| of a cell from its neighbours: (d - a)^2 + (d - b)^2 = 1 with the smaller one on each axis;
 * beyond the edge they are negative. */
static float fromNeighbours(const float *distance, int nx, int ny, int i, int j) {
  double side = copysign(1, (double)distance[j * nx + i]);
  double a = fmin(side * (double)heldAt(distance, nx, ny, i - 1, j),
                  side * (double)heldAt(distance, nx, ny, i + 1, j));
  double b = fmin(side * (double)heldAt(distance, nx, ny, i, j - 1),
                  side * (double)heldAt(distance, nx, ny, i, j + 1));
  if (fabs(a - b) >= 1)
    return (float)(fmin(a, b) + 1);
  return (float)(0.5 * (a + b + sqrt(2 - (a - b) * (a - b))));
}

/* Over the grid in one of four orders, so that distances travel along with it. */
static void sweep(float *distance, const float *cover, int nx, int ny, int order) {
  for (int t = 0; t < nx * ny; t++) {
    int i = t % nx, j = t / nx;
    if (order & 1)
      i = nx - 1 - i;
    if (order & 2)
      j = ny - 1 - j;
    float *d = &distance[j * nx + i], next = fromNeighbours(distance, nx, ny, i, j);
    if (next < fabsf(*d) && !isEdge(cover, nx, ny, i, j))
      *d = copysignf(next, *d);
  }
}

void demoWalls(float *distance, const float *cover, int nx, int ny) {
  bool any = false;
  for (int k = 0; k < nx * ny; k++) {
    bool edge = isEdge(cover, nx, ny, k % nx, k / nx);
    distance[k] = DEMO_FAR;
    if (cover[k] > 0.5f)
      distance[k] = -DEMO_FAR;
    if (edge)
      distance[k] = besideEdge(cover, nx, ny, k % nx, k / nx);
    any |= edge;
  }
  for (int order = 0; order < 8 && any; order++)
    sweep(distance, cover, nx, ny, order % 4);
}

void demoWallsCover(float *cover, const float *distance, int cells) {
  for (int k = 0; k < cells; k++)
    cover[k] = fminf(fmaxf(0.5f - distance[k], 0), 1);
}

void demoWallsRounded(float *cover, const uint8_t *solid, int nx, int ny) {
  for (int k = 0; k < nx * ny; k++) {
    int sum = 0;
    for (int n = 0; n < 9; n++) {
      int i = k % nx + n % 3 - 1, j = k / nx + n / 3 - 1;
      int weight = (2 - (n % 3 != 1)) * (2 - (n / 3 != 1)), at = j * nx + i;
      if (i < 0 || i >= nx || j < 0 || j >= ny)
        at = k;
      sum += weight * (solid[at] != 0);
    }
    cover[k] = (float)sum / 16;
  }
}

bool demoWallsCut(const float *distance, int cells) {
  int k = 0;
  while (k < cells && !(fabsf(distance[k]) < 0.49f))
    k++;
  return k < cells;
}
