/* What the program can show: edges, walls, local speeds, sources, and what happens at the beginning and before each step. */
#ifndef DEMOS_WAVE_SCENES_H
#define DEMOS_WAVE_SCENES_H

#include "common/show.h"

/* Lengths in heights of the domain, speeds around 1. */
typedef struct Scene {
  demoScene scene;                                 /* its field: a Field */
  double most;                                     /* the height where the colours end; 0: they follow the waves, ... */
  double least;                                    /* ... and end at no less than this */
  clColormap height_map;                           /* of the height, flat and lit */
  clWaveEdge edge[4];                              /* by clGridSide */
  bool (*solid)(double x, double y, double width); /* NULL: nothing */
  double (*speed)(double x, double y, double width);    /* NULL: 1 everywhere */
  clWaveSource source[TEXLA_WAVE_SOURCES];              /* those with an amplitude */
  clStatus (*feed)(clWave *wave, const demoShow *show); /* before each step; NULL: nothing */
} Scene;

enum { SCENES = 4 };
extern const Scene sceneList[SCENES];

typedef enum Field { FIELD_HEIGHT, FIELD_SURFACE, FIELD_VELOCITY, FIELD_ENERGY, FIELDS } Field;

/* A drop at (x, y) in parts of the domain. Its water comes from around it: two bells, of volume 0 together, so that the level
 * stays and no trough remains behind the ring. */
clStatus sceneDrop(clWave *wave, double x, double y, double radius, double height);

#endif
