#include "common/picture.h"

#include <math.h>

/* NaN becomes the lower bound. */
static double clamp(double a, double least, double most) {
  return a > least ? (a < most ? a : most) : least;
}

/* The rise from the upper left neighbours to the lower right ones; beyond the edge the surface goes on level. */
static double riseAt(const float *field, int nx, int ny, int i, int j) {
  const float *u = field + (size_t)j * (size_t)nx + i;
  double left = (double)u[i > 0 ? -1 : 0], right = (double)u[i + 1 < nx ? 1 : 0];
  double below = (double)u[j > 0 ? -nx : 0], above = (double)u[j + 1 < ny ? nx : 0];
  return right - left + below - above;
}

void demoPictureSurface(uint8_t *rgb, clColormap map, const float *field, int nx, int ny, double middle, double range) {
  enum { COLOURS = 1024 };
  const double strength = 2.4, most = 0.6; /* of the light: on a slope that rises by `range`, and on the steepest */
  uint8_t colour[COLOURS][3];
  for (int k = 0; k < COLOURS; k++)
    clColormapColor(colour[k], map, k / (COLOURS - 1.));
  for (int j = ny - 1; j >= 0; j--)
    for (int i = 0; i < nx; i++, rgb += 3) {
      double t = 0.5 + ((double)field[(size_t)j * (size_t)nx + (size_t)i] - middle) / (2 * range);
      double shade = strength * riseAt(field, nx, ny, i, j) / range, factor = 1 + most * shade / (1 + fabs(shade));
      const uint8_t *c = colour[(int)(clamp(t, 0, 1) * (COLOURS - 1) + 0.5)];
      for (int k = 0; k < 3; k++)
        rgb[k] = (uint8_t)(clamp(c[k] * factor, 0, 255) + 0.5);
    }
}
