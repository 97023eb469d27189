/* Jets in a flow, which the mouse may place: each holds the velocity and the dye around it at its
 * own. */
#ifndef DEMOS_NAVIER_STOKES_JETS_H
#define DEMOS_NAVIER_STOKES_JETS_H

#include "common/show.h"

enum { JETS = 8 };

/* Where it is, and the velocity that it holds there. */
typedef struct Jet {
  double x, y, radius;
  double u, v;
} Jet;

/* Lengths in heights of the domain. */
typedef struct Jets {
  /* held: the one that the mouse has; -1: none */
  int count, held;
  /* ... and has made: a drag turns it, others are moved */
  bool fresh;
  /* the mouse has changed some: they are not the scene's any more */
  bool placed;
  Jet jet[JETS];
} Jets;

/* The scene's, unless the mouse has changed some of them. */
void jetsTake(Jets *jets, const Jet *jet, int count);

/* A press takes the jet there, or makes one while there may be more; a drag turns a new one, and
 * moves others. `removes`: a press removes the jet there. */
void jetsTouch(Jets *jets, const demoTouch *touch, double aspect, bool removes);

/* Before a step of length dt: velocity of all, and the dye that they carry. */
clStatus jetsFeed(const Jets *jets, clFlow *flow, double dt, double dye);

/* where they are, and where they blow */
void jetsDraw(const Jets *jets, demoOverlay *overlay);
/* each as a line of a scene's text */
void jetsWrite(const Jets *jets, FILE *file);
/* saves or loads them */
clStatus jetsPlaced(Jets *jets, demoState *state);

#endif
