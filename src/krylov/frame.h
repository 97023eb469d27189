/* The iteration frame: what all iterative solvers share. A method adds its vectors and the passes
 * of a step; the frame keeps the history on the device, looks at it at a fixed lag, and decides. */
#ifndef TEXLA_KRYLOV_FRAME_H
#define TEXLA_KRYLOV_FRAME_H

#include "core/companion.h"
#include "vector/reduce.h"
#include "krylov/precondition.h"
#include "texla/solver.h"

enum {
  /* iterations that the history on the device holds, a ring */
  TX_HISTORY = 1024,
  TX_SOLVER_VECTORS = 8,
  /* right-hand sides at once */
  TX_COLUMNS = 8
};

typedef struct txMethod {
  const char *name;
  /* work vectors, created like x */
  int vectors;
  /* r <- b - A x and what else iteration 0 needs; its products into the history where `measure`
   * does not do it */
  clStatus (*start)(clSolver *s, clVector *x, const clVector *b);
  /* iteration k: x_k -> x_k+1, with the products of iteration k in the history before x changes */
  clStatus (*step)(clSolver *s, clVector *x, const clVector *b, int64_t k);
  /* rr of x_k into the history, after the last step; NULL: the step has done it */
  clStatus (*measure)(clSolver *s, int64_t k);
  /* What the history of iteration k says beyond its residual, rows 0 and 1; TEXLA_REASON_NONE to go
   * on. NULL: nothing */
  clReason (*judge)(const clSolver *s, const float *row0, const float *row1, double rr0);
  /* x <- x_k, where steps leave it elsewhere; NULL: they do not. May be called again later. */
  clStatus (*finish)(clSolver *s, clVector *x, int64_t k);
  /* of conjugate gradients: the vector p whose curvature p.Ap is judged; 0: none */
  int direction;
  /* residuals go up and down by orders of magnitude: the best x on the way is kept */
  bool wanders;
  /* a breakdown is overcome by starting anew from x */
  bool restarts;
  /* what it needs beyond vectors, in s->own; NULL: nothing */
  clStatus (*create)(clSolver *s);
  void (*destroy)(clSolver *s);
} txMethod;

/* A right-hand side. */
typedef struct txColumn {
  double tolerance;
  /* history on the host */
  double *residual;
  int64_t residuals, capacity;
} txColumn;

/* krylov/cg_multivector.h */
typedef struct txManyColumns txManyColumns;

extern const txMethod txCgMerged, txStationary, txGmres;
TX_COMPANION extern const txMethod txCgPreconditioned, txBicgstab;

struct clSolver {
  clContext *context;
  const clMatrix *A;
  const txMethod *method;
  clSolverOptions options;
  /* the method's */
  clVector *vector[TX_SOLVER_VECTORS];
  /* the method's too */
  void *own;
  /* apply NULL: none */
  txPreconditioner preconditioner;
  /* D^-1 where the preconditioner is diagonal, to be multiplied in passing */
  const clVector *inverse;
  /* TX_HISTORY wide, see shaders/krylov/iteration.vert */
  txTexture *history;
  clFloat *bb, *rr0, *ww;
  /* the caller's x is zero */
  bool from_zero;
  /* a fixed count: no tolerance, nothing is measured but what the method itself needs */
  bool free_running;
  /* right-hand sides that there is room for; with more than one: */
  int columns;
  txManyColumns *many;
  /* of the last Init; the multivectors that they are in, 0: there is one, and it is a vector */
  int count, groups;
  clVector *best,
      /* x at the start or with the least residual seen, x of which that is not known yet; NULL: not
       * kept */
      *candidate;
  clVector *x[TX_COLUMNS];
  const clVector *b[TX_COLUMNS];
  txColumn column[TX_COLUMNS];
  /* submitted; whose residuals are known */
  int64_t iteration, residuals;
  char defines[128];
};

/* clSolverCreate where options->host has been looked at (rows NULL: it was not), and for solves
 * whose first x is zero (from_zero). */
clStatus txSolverCreate(clSolver **out, const clMatrix *A, const clSolverOptions *options,
                        const txRows *rows, bool from_zero);

/* The solver for other values at the positions that its matrix had; A may be another matrix with
 * the same storage. The options are those that it was created with, but for host and
 * near_null_space. After an error only this or clSolverDestroy may follow. */
clStatus txSolverUpdate(clSolver *s, const clMatrix *A, const clSolverOptions *options,
                        const txRows *rows);

/* txSolverCreate with this method and preconditioner, whatever the options say of them; the solver
 * owns M, also when it fails. */
TX_COMPANION clStatus txSolverCreateWith(clSolver **out, const clMatrix *A,
                                         const clSolverOptions *options, const txMethod *method,
                                         txPreconditioner M);

/* *out <- M r, in z; without a preconditioner r itself. */
clStatus txSolverPrecondition(clSolver *s, clVector *z, clVector *r, clVector **out);

/* r <- b - A x for the first x, and rr0 <- r.r */
clStatus txSolverFirst(clSolver *s, clVector *r, const clVector *x, const clVector *b);
/* r <- b - A x */
clStatus txSolverResidual(clSolver *s, clVector *r, const clVector *x, const clVector *b);

/* Gives a pass of step k the scalars of shaders/krylov/iteration.vert. `variant` is its #define. */
void txSolverScalars(clSolver *s, txPass *pass, const char *variant, int64_t k);
/* The same, then the pass over vectors. */
clStatus txSolverPass(clSolver *s, const char *call, txPass *pass, const char *variant, int64_t k,
                      clVector *const *output, int count);
/* never infinite */
float txSquareOf(double v);
/* What the curvature p.Ap of a direction says of A. */
clReason txJudgeCurvature(float pq);

/* Where a run stands before iteration `iteration`: all that it needs, beside x and the method's
 * vectors, to go on as if it had not been interrupted. Of methods that keep nothing but vectors. */
typedef struct txStand {
  int64_t iteration;
  /* r.r at the start */
  float rr0;
  /* what step `iteration` reads of it */
  float history[2][4];
} txStand;
/* The vectors are those of s: s->method->vectors in s->vector. From a monitor. */
TX_COMPANION clStatus txSolverStand(clSolver *s, txStand *stand);
/* clSolverSolve from there, when x and s->vector have been set. */
TX_COMPANION clStatus txSolverSolveFrom(clSolver *s, clVector *x, const clVector *b,
                                        const txStand *stand, clSolverReport *report);

/* p[j] <- the direction that right-hand side j of the last solve ended with; for conjugate
 * gradients. */
TX_COMPANION clStatus txSolverDirections(clSolver *s, int count, clVector *const *p);

/* clSolverSolveMany with a tolerance for each right-hand side. */
TX_COMPANION clStatus txSolverSolveColumns(clSolver *s, int count, clVector *const *x,
                                           const clVector *const *b, const double *tolerance,
                                           clSolverReport *reports);

/* s <- x.y, over all processes */
clStatus txSolverDot(clSolver *s, clFloat *out, const clVector *x, const clVector *y);

/* Is the method a cycle of multigrid over and over, from zero? Then: x, which may hold anything, <-
 * so many of them for b, without a look at residuals. */
bool txStationaryCycles(const clSolver *s);
clStatus txStationaryRun(clSolver *s, clVector *x, const clVector *b, int count);

/* history(k, row) <- the reduction, over all processes */
clStatus txSolverReduce(clSolver *s, const char *call, const txReduction *reduction, int64_t k,
                        int row);

#endif
