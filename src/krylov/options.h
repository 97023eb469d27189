/* What a solver's options ask for: the tables of methods and preconditioners, checks, defaults.
 *
 * The lists in texla/solver.h give every method and preconditioner its constant, name and one line
 * of help; the tables in options.c and precondition.c say what runs it. A new one is a line in
 * each. */
#ifndef TEXLA_KRYLOV_OPTIONS_H
#define TEXLA_KRYLOV_OPTIONS_H

#include "krylov/frame.h"

/* What the frame runs for a method.
 *
 * `method` is NULL for what is no iteration of this room, but something that clSystemSolve does.
 * Methods that are nothing but cycles or sweeps have a preconditioner of their own; for all others
 * `own` is NONE, and that of the options counts. */
typedef struct txMethodEntry {
  const txMethod *method;
  clPreconditioner own;
} txMethodEntry;

/* The method's entry; NULL for a method that does not exist. */
const txMethodEntry *txMethodFind(clMethod method);

/* s->method and *kind <- what the options ask for. */
clStatus txSolverChoose(clSolver *s, clPreconditioner *kind);
/* Checks the options, and replaces zeros by defaults. */
clStatus txSolverDefaults(clSolver *s);

#endif
