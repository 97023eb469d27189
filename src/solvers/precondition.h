/* What a Krylov method asks of a preconditioner: z <- M r, without a read-back. z and r are two vectors of A's layout. */
#ifndef TEXLA_SOLVERS_PRECONDITION_H
#define TEXLA_SOLVERS_PRECONDITION_H

#include "core/rows.h"
#include "texla/solvers.h"

typedef struct txPreconditioner {
  clStatus (*apply)(void *data, clVector *z, const clVector *r);
  void (*destroy)(void *data); /* NULL: data is borrowed */
  void *data;
  bool cycle; /* so much work that a look at the residual costs little in comparison */
  /* x <- x + damping M r, where a cycle does that with less; NULL: it does not */
  clStatus (*correct)(void *data, clVector *x, float damping, const clVector *r);
} txPreconditioner;

/* The one that the options ask for, `kind` NONE: an empty one. *inverse (may be NULL) <- D^-1 when it is diagonal, else NULL. rows:
 * a look at options->host, NULL: there was none. */
clStatus txPreconditionerCreate(txPreconditioner *out, const clVector **inverse, const clMatrix *A,
                                clPreconditioner kind, const clSolverOptions *options, const txRows *rows);
void txPreconditionerDestroy(txPreconditioner *p);

/* D^-1 of A, whose diagonal must not hold a zero. Part of a setup: reads back. */
clStatus txInverseDiagonal(clVector **out, const clMatrix *A);

#endif
