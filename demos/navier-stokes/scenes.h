/* What the program can show: a flow's options, its obstacles, what happens at the beginning and before each step. */
#ifndef DEMOS_NAVIER_STOKES_SCENES_H
#define DEMOS_NAVIER_STOKES_SCENES_H

#include "texla/io.h"
#include "texla/texla.h"

/* Lengths in heights of the domain, except for vortices and cavity, which are squares of side 1; speeds around 1. */
typedef struct Scene {
  const char *name, *title;
  int size[2];   /* cells, when none are asked for */
  int steps;     /* per picture */
  double length; /* of the Reynolds number */
  double re;     /* 0: without viscosity */
  clFlowField field;
  double dye_most; /* the colours of the dye end here */
  clFlowOptions options;
  bool (*solid)(double x, double y, double width); /* NULL: nothing */
  clStatus (*begin)(clFlow *flow);                 /* NULL: at rest */
  clStatus (*feed)(clFlow *flow);                  /* before each step; NULL: nothing */
} Scene;

enum { SCENES = 6 };
extern const Scene sceneList[SCENES];

#endif
