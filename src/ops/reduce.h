/* Tree reductions over up to three vectors, from the term of one texel to a final pass of the caller's choice. */
#ifndef TEXLA_OPS_REDUCE_H
#define TEXLA_OPS_REDUCE_H

#include "ops/run.h"

typedef struct txReduction {
  const clVector *source[3]; /* x, y, z in the term: same layout; NULL ends the list */
  const char *term;          /* GLSL, a vec4 in p: "at(x, p) * at(y, p)" */
  const char *kernel;        /* of the first level, with what shaders/reduce.frag is given; NULL: that one */
  const char *combine;       /* GLSL in a and b; NULL: the sum. Anything else must be idempotent (max, min, a choice) */
} txReduction;

/* Reduces and ends with `final`: a pass whose kernel includes include/reduce_final.glsl and renders one texel. */
clStatus txReduce(const char *call, const txReduction *reduction, txPass *final);

#endif
