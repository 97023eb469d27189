#include "common/camera.h"

#include <math.h>

static double toHundredths(double angle) {
  return round(100 * angle) / 100;
}

void demoCameraTurn(demoCamera *camera, double dx, double dy) {
  const double across = 170, up = 115;
  camera->azimuth = toHundredths(remainder(camera->azimuth - across * dx, 360));
  camera->tilt = toHundredths(camera->tilt - up * dy);
  camera->tilt = fmin(fmax(camera->tilt, DEMO_FLATTEST), DEMO_STEEPEST);
}

void demoCameraAim(const demoCamera *camera, clKernelRun *run, const int grid[2],
                   const double pixels[2], const double heights[4], double exaggeration,
                   double light) {
  double diagonal = hypot(grid[0], grid[1]), shown = fmin(pixels[0], 1.5 * pixels[1]);
  const double degree = 3.14159265358979324 / 180;
  double a = camera->azimuth * degree, t = camera->tilt * degree;
  run->parameter[0] = (clKernelParameter){
      "grid", 4, {(float)grid[0], (float)grid[1], (float)pixels[0], (float)pixels[1]}};
  run->parameter[1] = (clKernelParameter){
      "heights", 4, {(float)heights[0], (float)heights[1], (float)heights[2], (float)heights[3]}};
  run->parameter[2] = (clKernelParameter){
      "camera", 4, {(float)cos(a), (float)sin(a), (float)cos(t), (float)sin(t)}};
  run->parameter[3] = (clKernelParameter){
      "place", 3, {(float)exaggeration, (float)(1.06 * diagonal / shown), (float)light}};
}
