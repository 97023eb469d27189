/* What a scene of the program can say: ground, levels, edges, and where gauges stand. */
#ifndef DEMOS_SHALLOW_WATER_SCENES_H
#define DEMOS_SHALLOW_WATER_SCENES_H

#include "common/show.h"

/* Lengths in metres; places x, y in parts of the domain. */
typedef struct Scene {
  demoScene scene; /* its field: a Field */
  double width;    /* of the domain; cells are square */
  int edge[4];     /* clWaterEdge, by clGridSide */
  int friction, advection;
  clWaterOptions options;             /* without the grid and what stands above */
  demoFormula ground, level, current; /* current: u; empty: 0 */
  double waves;                       /* a height that is seen well */
  double land;                        /* the highest ground of interest */
  int gauges;
  double gauge[4][2];
} Scene;

extern const demoRule sceneRules[];
clWaterOptions sceneWaterOptions(const Scene *scene);

typedef enum Field { FIELD_MAP, FIELD_VIEW, FIELD_LEVEL, FIELD_DEPTH, FIELD_SPEED, FIELD_VORTICITY, FIELDS } Field;

#endif
