/* A value of the queue: one matrix in up to six forms, each made from another when an operation
 * asks for it. Only the worker makes forms; those on the host never change once they are there. */
#ifndef TEXLA_QUEUE_VALUE_H
#define TEXLA_QUEUE_VALUE_H

#include "core/error.h"
#include "texla/dense.h"
#include "texla/matrix.h"
#include "texla/queue.h"

/* On the device: `vector`, linear, column after column, for whatever goes entry by entry; `dense`,
 * 2 x 2 packed, for products and eliminations; `matrix`, sparse, in the storage that `storage` asks
 * for. On the host: `host` or `single`, column after column, and `triplets`, sparse. */
typedef struct txValue {
  int64_t rows, cols;
  clVector *vector;
  clDense *dense;
  clMatrix *matrix;
  double *host;
  float *single;
  clTriplets *triplets;
  clStorage storage;
} txValue;

int64_t txValueLength(const txValue *v);
size_t txValueBytes(const txValue *v);
/* Frees the forms on the device, in the worker's thread; or all forms. The shape stays. */
void txValueClearDevice(txValue *v);
void txValueClear(txValue *v);

/* The form asked for, made if need be; it belongs to the value. `call` stands in messages. Not for
 * empty values. */
clStatus txValueVector(txValue *v, clContext *context, const char *call, clVector **out,
                       clError *error);
clStatus txValueDense(txValue *v, clContext *context, const char *call, clDense **out,
                      clError *error);
clStatus txValueHost(txValue *v, clContext *context, const char *call, double **out,
                     clError *error);

/* Is that a matrix that can be copied from or to? And with its steps, where both are 0. */
bool txHostIsMatrix(const clHostMatrix *A);
clHostMatrix txHostSteps(clHostMatrix A);
/* *to <- from, which stays: floats or doubles, any steps, blocked so that transposing is not
 * slow. */
void txHostCopy(const clHostMatrix *to, const clHostMatrix *from);

#endif
