/* What the program can show: a flow's options, its obstacles, what happens at the beginning and before each step. */
#ifndef DEMOS_NAVIER_STOKES_SCENES_H
#define DEMOS_NAVIER_STOKES_SCENES_H

#include "common/show.h"

/* Lengths in heights of the domain, except for vortices and cavity, which are squares of side 1; speeds around 1. */
typedef struct Scene {
  demoScene scene; /* its field: a clFlowField */
  double length;   /* of the Reynolds number */
  double re;       /* 0: without viscosity */
  double fade;     /* of streaks; 0: the default */
  double dye_most; /* the colours of the dye end here */
  clFlowOptions options;
  bool (*solid)(double x, double y, double width);       /* NULL: nothing */
  clStatus (*begin)(clFlow *flow, const demoShow *show); /* NULL: at rest */
  clStatus (*feed)(clFlow *flow, const demoShow *show);  /* before each step; NULL: nothing */
} Scene;

enum { SCENES = 7 };
extern const Scene sceneList[SCENES];

#endif
