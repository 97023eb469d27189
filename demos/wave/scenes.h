/* What a scene of the program can say: edges, walls, local speeds, sources, how it begins and what
 * falls into it. */
#ifndef DEMOS_WAVE_SCENES_H
#define DEMOS_WAVE_SCENES_H

#include "common/show.h"

/* From `at` on, once or at intervals of `every`: a drop (sceneDrop); of its formulas n is how many
 * fell before. */
typedef struct Drop {
  double at, every;
  demoFormula x, y, radius, height;
} Drop;

enum { SCENE_SOLIDS = 8, SCENE_DROPS = 4 };

/* Lengths in heights of the domain, speeds around 1. */
typedef struct Scene {
  /* its field: a Field */
  demoScene scene;
  /* of the height, flat and lit: a clColormap */
  int colours;
  /* the height where they end; 0: they follow the waves, ... */
  double most;
  /* ... and end at no less than this */
  double least;
  /* clWaveEdge, by clGridSide */
  int edge[4];
  /* empty: 1, 0, 0 */
  demoFormula speed, height, velocity;
  int solids, sources, drops;
  demoFormula solid[SCENE_SOLIDS];
  clWaveSource source[TEXLA_WAVE_SOURCES];
  Drop drop[SCENE_DROPS];
  /* crosses show where sources are */
  bool marked;
} Scene;

extern const demoRule sceneRules[];

typedef enum Field {
  FIELD_HEIGHT,
  FIELD_SURFACE,
  FIELD_VELOCITY,
  FIELD_ENERGY,
  FIELD_VIEW,
  FIELDS
} Field;

/* Heights of time 0, sources and what falls first, darker where waves are slower; stones. */
void sceneSketch(const demoScene *scene, const double variable[DEMO_VARIABLES], uint8_t rgb[3]);

/* the heights and velocities of time 0 */
clStatus sceneBegin(const Scene *scene, clWave *wave, demoShow *show);
/* before each step: what falls now */
clStatus sceneFeed(const Scene *scene, clWave *wave, demoShow *show);

/* A source as a line of a scene's text that says the same. */
void sceneWriteSource(FILE *file, const clWaveSource *source);

/* A drop at (x, y) in parts of the domain. Its water comes from around it: two bells, of volume 0
 * together, so that the level stays and no trough remains behind the ring. */
clStatus sceneDrop(clWave *wave, double x, double y, double radius, double height);

#endif
