/* What a scene of the program can say: equations, how they begin, edges, colours. */
#ifndef DEMOS_LAB_SCENES_H
#define DEMOS_LAB_SCENES_H

#include "common/show.h"

typedef enum Range { RANGE_SIGNED, RANGE_POSITIVE, RANGE_CENTRED } Range;

/* Lengths, times and values in any units. */
typedef struct Scene {
  demoScene scene; /* its field: 0 the picture, 1 the same as a surface, then u, v, w, q */
  double height;   /* of the domain; 0: 1 */
  double dt;
  int scheme;  /* clEvolutionScheme */
  int edge[4]; /* clEvolutionEdge, by clGridSide */
  double value[4][TEXLA_EVOLUTION_FIELDS];
  demoFormula rate[TEXLA_EVOLUTION_FIELDS], start[TEXLA_EVOLUTION_FIELDS];
  demoFormula picture; /* empty: u */
  int colours, range;
  double low, high; /* where the colours end; both 0: as `range` says */
  bool lit;
  int arrow[2];                         /* the fields that are a vector's components: 1 for u, ...; 0: none */
  double brush[TEXLA_EVOLUTION_FIELDS]; /* what a touch adds */
} Scene;

extern const demoRule sceneRules[];

#endif
