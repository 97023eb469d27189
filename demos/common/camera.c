#include "common/camera.h"

#include <math.h>

void demoCameraTurn(demoCamera *camera, double dx, double dy) {
  camera->azimuth -= 3 * dx;
  camera->tilt = fmin(fmax(camera->tilt - 2 * dy, 0.15), 1.5);
}

void demoCameraAim(const demoCamera *camera, clKernelRun *run, const int grid[2],
                   const double pixels[2], const double heights[4], double exaggeration,
                   double light) {
  double diagonal = hypot(grid[0], grid[1]), shown = fmin(pixels[0], 1.5 * pixels[1]);
  double a = camera->azimuth, t = camera->tilt;
  run->parameter[0] = (clKernelParameter){
      "grid", 4, {(float)grid[0], (float)grid[1], (float)pixels[0], (float)pixels[1]}};
  run->parameter[1] = (clKernelParameter){
      "heights", 4, {(float)heights[0], (float)heights[1], (float)heights[2], (float)heights[3]}};
  run->parameter[2] = (clKernelParameter){
      "camera", 4, {(float)cos(a), (float)sin(a), (float)cos(t), (float)sin(t)}};
  run->parameter[3] = (clKernelParameter){
      "place", 3, {(float)exaggeration, (float)(1.06 * diagonal / shown), (float)light}};
}
