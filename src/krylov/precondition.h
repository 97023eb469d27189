/* The preconditioner that a solver's options ask for. */
#ifndef TEXLA_KRYLOV_PRECONDITION_H
#define TEXLA_KRYLOV_PRECONDITION_H

#include "platform/companion.h"
#include "core/rows.h"
#include "matrix/preconditioner.h"
#include "texla/solver.h"

/* The one that the options ask for, `kind` NONE: an empty one. *inverse <- D^-1 when it is
 * diagonal, else NULL. rows: a look at options->host, NULL: there was none. */
TX_COMPANION clStatus txPreconditionerCreate(txPreconditioner *out, const clVector **inverse,
                                             const clMatrix *A, clPreconditioner kind,
                                             const clSolverOptions *options, const txRows *rows);
/* The same for other values at A's positions, in what is there as far as that is possible. */
clStatus txPreconditionerUpdate(txPreconditioner *p, const clVector **inverse, const clMatrix *A,
                                clPreconditioner kind, const clSolverOptions *options,
                                const txRows *rows);
void txPreconditionerDestroy(txPreconditioner *p);

#endif
