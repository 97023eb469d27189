/* What a scene of the program can say: ground, levels, edges, and where gauges stand. */
#ifndef DEMOS_SHALLOW_WATER_SCENES_H
#define DEMOS_SHALLOW_WATER_SCENES_H

#include "common/show.h"
#include "gauges.h"

/* Lengths in metres; places x, y in parts of the domain. */
typedef struct Scene {
  /* its field: a Field */
  demoScene scene;
  /* of the domain; cells are square */
  double width;
  /* clWaterEdge, by clGridSide */
  int edge[4];
  int friction, advection;
  /* without the grid and what stands above */
  clWaterOptions options;
  /* current: u; empty: 0 */
  demoFormula ground, level, current;
  /* a height that is seen well */
  double waves;
  /* the highest ground of interest */
  double land;
  int gauges;
  Gauge gauge[GAUGES];
} Scene;

extern const demoRule sceneRules[];
clWaterOptions sceneWaterOptions(const Scene *scene);

/* Ground and water as on a map. */
void sceneSketch(const demoScene *scene, const double variable[DEMO_VARIABLES], uint8_t rgb[3]);

typedef enum Field {
  FIELD_MAP,
  FIELD_VIEW,
  FIELD_LEVEL,
  FIELD_DEPTH,
  FIELD_SPEED,
  FIELD_VORTICITY,
  FIELDS
} Field;

#endif
