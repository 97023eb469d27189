/* From where a surface is seen that turns with the mouse, and how shaders/demo/water_picture.frag
 * is told. */
#ifndef DEMOS_COMMON_CAMERA_H
#define DEMOS_COMMON_CAMERA_H

#include "texla/kernel.h"

/* Degrees: around the upright axis, and down from the horizon. */
typedef struct demoCamera {
  double azimuth, tilt;
} demoCamera;

#define DEMO_CAMERA                                                                                \
  { 66, 43 } /* at first */

/* How flat and how steep it may look down. */
#define DEMO_FLATTEST 8
#define DEMO_STEEPEST 87

/* A drag by such parts of the picture, to hundredths of degrees: as an option these are short. */
void demoCameraTurn(demoCamera *camera, double dx, double dy);

/* The picture's parameters for a grid of so many columns and rows: a height of 1 is as long as
 * `exaggeration` cells; `heights` are the lowest, the highest, and what the shader says. */
void demoCameraAim(const demoCamera *camera, clKernelRun *run, const int grid[2],
                   const double pixels[2], const double heights[4], double exaggeration,
                   double light);

#endif
