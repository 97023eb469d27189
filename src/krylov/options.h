/* What a solver's options ask for: the tables of methods and preconditioners, checks, defaults.
 *
 * The lists in texla/solver.h give every method and preconditioner its constant, name and one line
 * of help; the tables in options.c and precondition.c say what runs it. A new one is a line in
 * each. */
#ifndef TEXLA_KRYLOV_OPTIONS_H
#define TEXLA_KRYLOV_OPTIONS_H

#include "krylov/frame.h"

/* What the frame runs for a method. */
typedef struct txMethodEntry {
  /* NULL: not an iteration of this room, but something that clSystemSolve does */
  const txMethod *method;
  /* of methods that are nothing but cycles or sweeps; NONE: that of the options */
  clPreconditioner own;
} txMethodEntry;

/* The method's entry; NULL for a method that does not exist. */
const txMethodEntry *txMethodFind(clMethod method);

/* s->method and *kind <- what the options ask for. */
clStatus txSolverChoose(clSolver *s, clPreconditioner *kind);
/* Checks the options, and replaces zeros by defaults. */
clStatus txSolverDefaults(clSolver *s);

#endif
