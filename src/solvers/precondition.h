/* What a Krylov method asks of a preconditioner: z <- M r, without a read-back. z and r are two vectors of A's layout. */
#ifndef TEXLA_SOLVERS_PRECONDITION_H
#define TEXLA_SOLVERS_PRECONDITION_H

#include "texla/vector.h"

typedef struct txPreconditioner {
  clStatus (*apply)(void *data, clVector *z, const clVector *r);
  void (*destroy)(void *data); /* NULL: data is borrowed */
  void *data;
} txPreconditioner;

#endif
