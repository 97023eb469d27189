/* The method plu of clSystemSolve. */
#ifndef TEXLA_SOLVERS_PLU_SYSTEM_H
#define TEXLA_SOLVERS_PLU_SYSTEM_H

#include "texla/solvers.h"

/* For `count` right-hand sides; *reports begin as zeros and each tells why it ended. */
clStatus txPluSystemSolve(clContext *context, const clTriplets *A, int count, const double *b, double *x, double target,
                          const clSystemOptions *options, clSystemReport *reports);

#endif
