/* Tree reductions over up to four vectors, from the term of one texel to a final pass of the
 * caller's choice. */
#ifndef TEXLA_VECTOR_REDUCE_H
#define TEXLA_VECTOR_REDUCE_H

#include "vector/run.h"

enum { TX_REDUCE_SOURCES = 8 };
typedef struct txReduction {
  /* They are called x, y, z and w in the term, and have the same layout. NULL ends the list. */
  const clVector *source[TX_REDUCE_SOURCES];
  /* GLSL, a vec4 in p: "at(x, p) * at(y, p)" */
  const char *term;
  /* The kernel of the first level, which is given what shaders/vector/reduce.frag is given; NULL
   * means that one. */
  const char *kernel;
  /* GLSL in a and b; NULL: the sum. Anything else must be idempotent (max, min, a choice) */
  const char *combine;
  /* Several sums of vec4 at once, in multivectors: up to 8 sources s0, s1, ..., and the term is
   * statements "sum[0] += at(s0, p); ...". 0: one quantity, as above. */
  int sums;
  /* One sum of pairs (shaders/vector/double_sums.glsl), for which `sums` is 2; `final` has two
   * targets. */
  bool double_float;
} txReduction;

/* Reduces and ends with `final`: a pass whose kernel includes vector/reduce_final.glsl and renders
 * one texel; several sums with the kernel sums_final, which renders them into a column of
 * texels. */
TX_COMPANION clStatus txReduce(const char *call, const txReduction *reduction, txPass *final);

#endif
