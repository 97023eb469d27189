/* What a scene of the program can say: equations, how they begin, edges, colours. */
#ifndef DEMOS_LAB_SCENES_H
#define DEMOS_LAB_SCENES_H

#include "common/show.h"

/* By the values: where a scene says nothing of it. */
typedef enum Range { RANGE_BY_VALUES, RANGE_SIGNED, RANGE_POSITIVE, RANGE_CENTRED } Range;

/* Of a field on an edge: its value, or its derivative outwards. */
typedef enum SceneEdge { SCENE_VALUE = 1, SCENE_FLUX } SceneEdge;

/* Lengths, times and values in any units. */
typedef struct Scene {
  /* its field: 0 the picture, 1 the same as a surface, then u, v, w, q */
  demoScene scene;
  /* of the domain; 0: 1 */
  double height;
  double dt;
  /* clEvolutionScheme */
  int scheme;
  /* clEvolutionEdge, by clGridSide */
  int edge[4];
  /* by side and field; a SceneEdge each, 0: as the side's edge says */
  demoEdge given[4][TEXLA_EVOLUTION_FIELDS];
  demoFormula rate[TEXLA_EVOLUTION_FIELDS], start[TEXLA_EVOLUTION_FIELDS];
  /* positive within it; empty: all of the grid. Or fields keep what they begin with outside */
  demoFormula domain;
  bool domain_fixed;
  /* empty: u */
  demoFormula picture;
  int colours, range;
  /* where the colours end; both 0: as `range` says */
  double low, high;
  bool lit;
  /* the fields that are a vector's components: 1 for u, ...; 0: none */
  int arrow[2];
  /* what a touch adds */
  double brush[TEXLA_EVOLUTION_FIELDS];
} Scene;

extern const demoRule sceneRules[];

/* The picture of the start, where it asks for no derivatives. */
void sceneSketch(const demoScene *scene, const double variable[DEMO_VARIABLES], uint8_t rgb[3]);

#endif
