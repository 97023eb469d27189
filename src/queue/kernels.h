/* Operations that are a line or a few lines of GLSL: the text becomes a clKernel over vectors that
 * hold matrices column after column. */
#ifndef TEXLA_QUEUE_KERNELS_H
#define TEXLA_QUEUE_KERNELS_H

#include "queue/operations.h"
#include "texla/kernel.h"

enum { TX_GATHER_MATRICES = 4 };

/* A pass that computes every entry by itself. `body` is that of float at(int i, int j), with rows
 * and columns from 0. It reads X(i, j), Y, Z and W, the entries of x[0] to x[3], whose sizes are XR
 * x XC, ...; the result is R x C; N0 to N7 are the numbers. Where x[k] is NULL, X(i, j) is the
 * number Nk. */
/* `out`, of the given shape, is none of x. */
typedef struct txGather {
  const char *body;
  clVector *out;
  txShape shape;
  clVector *x[TX_GATHER_MATRICES];
  txShape size[TX_GATHER_MATRICES];
  double number[TEXLA_QUEUE_OPERANDS];
} txGather;

clStatus txGatherRun(txCall *call, const txGather *gather);

#endif
