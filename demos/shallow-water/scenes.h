/* What the program can show: ground, levels, edges, and where gauges stand. */
#ifndef DEMOS_SHALLOW_WATER_SCENES_H
#define DEMOS_SHALLOW_WATER_SCENES_H

#include "common/show.h"

/* Lengths in metres; places x, y in parts of the domain. */
typedef struct Scene {
  demoScene scene;        /* its field: a Field */
  double width;           /* of the domain; cells are square */
  clWaterOptions options; /* without the grid */
  double (*ground)(double x, double y);
  double (*level)(double x, double y);   /* NULL: 0 */
  double (*current)(double x, double y); /* u; NULL: 0 */
  double waves;                          /* a height that is seen well */
  double land;                           /* the highest ground of interest */
  double gauge[4][2];                    /* those that are not 0, 0 */
} Scene;

enum { SCENES = 7 };
extern const Scene sceneList[SCENES];

typedef enum Field { FIELD_MAP, FIELD_VIEW, FIELD_LEVEL, FIELD_DEPTH, FIELD_SPEED, FIELD_VORTICITY, FIELDS } Field;

#endif
