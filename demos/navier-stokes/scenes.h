/* What a scene of the program can say: a flow's options, its obstacles, how it begins and what is
 * added before each step. */
#ifndef DEMOS_NAVIER_STOKES_SCENES_H
#define DEMOS_NAVIER_STOKES_SCENES_H

#include "jets.h"

/* Velocity and dye around a place: all of it once, or so much in a unit of time. */
typedef struct Splat {
  demoFormula x, y, radius, u, v, dye;
} Splat;

enum { SCENE_SOLIDS = 8, SCENE_SPLATS = 8 };

/* Lengths in heights of the domain. */
typedef struct Scene {
  /* its field: a clFlowField */
  demoScene scene;
  /* The Reynolds number (0: without viscosity), the length and the speed that it is of, and what
   * they are */
  double re, length, speed;
  char length_name[DEMO_TEXT], speed_name[DEMO_TEXT];
  /* viscosity / diffusivity of the dye (temperature); 0: it does not diffuse */
  double prandtl;
  /* of streaks; 0: the default */
  double fade;
  /* Where the colours of the dye end; 0, of a scene that does not say: sceneDyeMost. */
  double dye_most;
  /* clFlowScheme */
  int scheme;
  /* clFlowEdge, by clGridSide */
  int edge[4];
  clFlowOptions options;
  /* of the beginning; empty: 0 */
  demoFormula u, v, dye;
  /* the distance from a smooth obstacle, negative inside; empty: none */
  demoFormula wall;
  /* x, y of the rear of an obstacle, whose wake is measured; both 0: none */
  double behind[2];
  /* x, y and x, y: two places, whose difference of pressure is measured; all 0: none */
  double between[4];
  int solids, splats, feeds, jets;
  demoFormula solid[SCENE_SOLIDS];
  Splat splat[SCENE_SPLATS], feed[SCENE_SPLATS];
  Jet jet[JETS];
} Scene;

extern const demoRule sceneRules[];

/* Of a Reynolds number; 0: the scene's own. */
double sceneViscosity(const Scene *scene, double re);
double sceneDiffusivity(const Scene *scene, double re);
/* The dye at which its colours end: 1 unless the scene says another. */
double sceneDyeMost(const Scene *scene);
/* without the grid and what diffuses */
clFlowOptions sceneFlowOptions(const Scene *scene);

/* Inks where the dye is and where sources are, on dark paper, brighter where it flows; stones. */
void sceneSketch(const demoScene *scene, const double variable[DEMO_VARIABLES], uint8_t rgb[3]);

clStatus sceneBegin(const Scene *scene, clFlow *flow, demoShow *show);
/* Before each step; inks (NULL: none) get the dye in a colour of each source's own. */
clStatus sceneFeed(const Scene *scene, clFlow *flow, clFlowInks *inks, demoShow *show);

/* The ink of a part 0..1 of the circle of colours. */
void sceneInk(double hue, double amount, float ink[4]);
/* Inks get what there is of the dye, in colours that go around the middle of the domain, and what
 * flows in with dye, in bands: an inflow goes on with what is beside it. */
clStatus sceneInks(const Scene *scene, clFlowInks *inks, clFlow *flow, demoShow *show);

#endif
