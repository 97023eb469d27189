/* What a Krylov method asks of a preconditioner: z <- M r, without a read-back. z and r are two
 * vectors of A's layout. Which rooms make one: krylov (the diagonal), multigrid (Chebyshev's
 * polynomial, cycles). */
#ifndef TEXLA_MATRIX_PRECONDITIONER_H
#define TEXLA_MATRIX_PRECONDITIONER_H

#include "texla/matrix.h"

/* The iteration z <- z + M (r - A z) from z = 0, where M keeps z and what it needs from step to
 * step in a form of its own. */
typedef struct txIteration {
  /* r stays as it is until the end; what an iteration before has found is forgotten. */
  void (*begin)(void *data, const clVector *r);
  clStatus (*step)(void *data);
  /* *left <- a vector of M's with all numbers of r - A z that are not zero, in some order, *found
   * another one of that layout whose numbers are as large as those of z */
  clStatus (*residual)(void *data, const clVector **left, const clVector **found);
  /* That of A. */
  double (*diagonal)(void *data);
  /* x <- z, or x + z with `add`; without a step x stays as it is. It is over then. */
  clStatus (*finish)(void *data, clVector *x, bool add);
} txIteration;

typedef struct txPreconditioner {
  clStatus (*apply)(void *data, clVector *z, const clVector *r);
  /* NULL: data is borrowed */
  void (*destroy)(void *data);
  /* Other values at the positions that A had: what these alone decide stays. A may be another
   * matrix of the same layouts, host is A on the host, near its near null space there (NULL: ones),
   * as long as it was. After an error only this or `destroy` may follow. NULL: it is created
   * anew. */
  clStatus (*update)(void *data, const clMatrix *A, const clTriplets *host, const double *near);
  void *data;
  /* So much work that a look at the residual costs little in comparison. */
  bool cycle;
  /* NULL: there is no faster way than one M after the other */
  const txIteration *iteration;
  /* x <- what stands for a first M b from zero, where b is such that more than M finds a better x
   * for the time that it takes; else x stays as it is. *begun: which it was. It may read back.
   * NULL: there is nothing better than M. */
  clStatus (*begin)(void *data, clVector *x, const clVector *b, bool *begun);
} txPreconditioner;

/* *out <- D^-1 of A, whose diagonal must not hold a zero; created where it is NULL. Part of a
 * setup: reads back. */
clStatus txInverseDiagonal(clVector **out, const clMatrix *A);

#endif
