/* The iteration frame: what all iterative solvers share. A method adds its vectors and the passes of a step; the frame keeps
 * the history on the device, looks at it at a fixed lag, and decides. */
#ifndef TEXLA_SOLVERS_SOLVER_H
#define TEXLA_SOLVERS_SOLVER_H

#include "ops/reduce.h"
#include "texla/solvers.h"

enum { TX_HISTORY = 1024 /* iterations that the history on the device holds, a ring */, TX_SOLVER_VECTORS = 4 };

typedef struct txMethod {
  const char *name;
  int vectors;   /* work vectors, created like x */
  bool diagonal; /* needs D^-1 */
  bool pq;       /* p.Ap is in the history: row 0 (merged) or row 1 */
  int pq_row;
  /* r <- b - A x and what else iteration 0 needs; the residual's products for iteration 0 where `measure` does not do it */
  clStatus (*start)(clSolver *s, clVector *x, const clVector *b);
  /* iteration k: x_k -> x_k+1, with the products of iteration k in the history before x changes */
  clStatus (*step)(clSolver *s, clVector *x, const clVector *b, int64_t k);
  /* rr of x_k into the history, after the last step */
  clStatus (*measure)(clSolver *s, int64_t k);
} txMethod;

extern const txMethod txCgMerged, txCgPreconditioned, txJacobi;

struct clSolver {
  clContext *context;
  const clMatrix *A;
  const txMethod *method;
  clSolverOptions options;
  clVector *vector[TX_SOLVER_VECTORS]; /* the method's */
  clVector *inverse;                   /* D^-1 */
  txTexture *history;                  /* TX_HISTORY x 2, see shaders/iteration.vert */
  clFloat *bb, *rr0;
  bool free_running; /* a fixed count: no tolerance, nothing is measured but what the method itself needs */
  clVector *x;       /* of the last Init */
  const clVector *b;
  int64_t iteration;
  double *residual; /* history on the host */
  int64_t residuals, residual_capacity;
};

/* A pass of step k over vectors, with the scalars of shaders/iteration.vert. `variant` is its #define. */
clStatus txSolverPass(clSolver *s, const char *call, txPass *pass, const char *variant, int64_t k,
                      clVector *const *output, int count);
/* history(k, row) <- the reduction */
clStatus txSolverReduce(clSolver *s, const char *call, const txReduction *reduction, int64_t k, int row);

#endif
