/* The iteration frame: what all iterative solvers share. A method adds its vectors and the passes
 * of a step; the frame keeps the history on the device, looks at it at a fixed lag, and decides. */
#ifndef TEXLA_KRYLOV_FRAME_H
#define TEXLA_KRYLOV_FRAME_H

#include "platform/companion.h"
#include "vector/reduce.h"
#include "krylov/precondition.h"
#include "texla/solver.h"

/* The history on the device is a ring of so many iterations; a solver has at most so many work
 * vectors, and takes at most so many right-hand sides at once. */
enum { TX_HISTORY = 1024, TX_SOLVER_VECTORS = 8, TX_COLUMNS = 8 };

/* A method. It has `vectors` work vectors, created like x; what it needs beyond them `create` puts
 * into s->own. Where `direction` is not 0 it is the vector p of conjugate gradients, whose
 * curvature p.Ap is judged. Residuals of a method that `wanders` go up and down by orders of
 * magnitude, so the best x on the way is kept; one that `restarts` overcomes a breakdown by
 * starting anew from x. */
typedef struct txMethod {
  const char *name;
  int vectors;
  /* r <- b - A x and what else iteration 0 needs; its products into the history where `measure`
   * does not do it. */
  clStatus (*start)(clSolver *s, clVector *x, const clVector *b);
  /* Iteration k: x_k -> x_k+1, with the products of iteration k in the history before x changes. */
  clStatus (*step)(clSolver *s, clVector *x, const clVector *b, int64_t k);
  /* r.r of x_k into the history, after the last step; NULL where the step has done it. */
  clStatus (*measure)(clSolver *s, int64_t k);
  /* Into the history what steps have kept back of it, before a look; NULL where they do not. */
  clStatus (*record)(clSolver *s);
  /* What the history of iteration k, rows 0 and 1, says beyond its residual; TEXLA_REASON_NONE to
   * go on. NULL where it says nothing. */
  clReason (*judge)(const clSolver *s, const float *row0, const float *row1, double rr0);
  /* x <- x_k, where steps leave it elsewhere; NULL where they do not. It may be called again
   * later. */
  clStatus (*finish)(clSolver *s, clVector *x, int64_t k);
  int direction;
  bool wanders;
  bool restarts;
  /* Step k reads what step k - 1 has left in the history, and nothing that is newer. */
  bool looks_back;
  /* Step k leaves in the history all that is to be judged of x_k+1. */
  bool ahead;
  clStatus (*create)(clSolver *s);
  void (*destroy)(clSolver *s);
} txMethod;

/* A right-hand side, with its history of residuals on the host. */
typedef struct txColumn {
  double tolerance;
  double *residual;
  int64_t residuals, capacity;
} txColumn;

/* krylov/cg_multivector.h */
typedef struct txManyColumns txManyColumns;

extern const txMethod txCgMerged, txStationary, txGmres;
TX_COMPANION extern const txMethod txCgPreconditioned, txBicgstab;

/* A solver. `vector` and `own` are its method's. Without a preconditioner `apply` of that is NULL;
 * where it is diagonal, `inverse` is D^-1, to be multiplied in passing.
 *
 * `from_zero`: the caller's x is zero. `free_running`: the number of iterations is fixed, so there
 * is no tolerance, and nothing is measured but what the method itself needs. */
struct clSolver {
  clContext *context;
  const clMatrix *A;
  const txMethod *method;
  clSolverOptions options;
  clVector *vector[TX_SOLVER_VECTORS];
  void *own;
  txPreconditioner preconditioner;
  const clVector *inverse;
  /* TX_HISTORY wide, see shaders/krylov/iteration.vert. */
  txTexture *history;
  clFloat *bb, *rr0, *ww;
  bool from_zero;
  bool free_running;
  /* The residual from which the preconditioner's own iteration goes on; NULL: x is up to date. */
  const clVector *apart;
  /* There is room for `columns` right-hand sides, with more than one in `many`. The last Init had
   * `count`, in so many multivectors (`groups`); a single one is a vector, and there are none. */
  int columns;
  txManyColumns *many;
  int count, groups;
  /* x at the start or with the least residual seen, and an x whose residual is not known yet; NULL
   * where they are not kept. */
  clVector *best, *candidate;
  clVector *x[TX_COLUMNS];
  const clVector *b[TX_COLUMNS];
  txColumn column[TX_COLUMNS];
  /* How many iterations were submitted, of how many the residuals are known, and the one that began
   * anew from x last. */
  int64_t iteration, residuals, begun;
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
/* The square, but never infinite: the largest float instead. */
float txSquareOf(double v);
/* What the curvature p.Ap of a direction says of A. */
clReason txJudgeCurvature(float pq);

/* Where a run stands before iteration `iteration`: all that it needs, beside x and the method's
 * vectors, to go on as if it had not been interrupted. Of methods that keep nothing but vectors.
 *
 * `rr0` is r.r at the start, `history` what step `iteration` reads of it. */
typedef struct txStand {
  int64_t iteration;
  float rr0;
  float history[2][4];
} txStand;
/* The vectors are those of s: s->method->vectors in s->vector. From a monitor. */
TX_COMPANION clStatus txSolverStand(clSolver *s, txStand *stand);
/* clSolverSolve from there, when x and s->vector have been set. */
TX_COMPANION clStatus txSolverSolveFrom(clSolver *s, clVector *x, const clVector *b,
                                        const txStand *stand, clSolverReport *report);

/* p[j] <- the direction that right-hand side j of the last solve ended with; for conjugate
 * gradients. */
clStatus txSolverDirections(clSolver *s, int count, clVector *const *p);

/* clSolverSolveMany with a tolerance for each right-hand side. */
clStatus txSolverSolveColumns(clSolver *s, int count, clVector *const *x, const clVector *const *b,
                              const double *tolerance, clSolverReport *reports);

/* s <- x.y, over all processes */
clStatus txSolverDot(clSolver *s, clFloat *out, const clVector *x, const clVector *y);

/* Is the method a cycle of multigrid over and over, from zero? Then: x, which may hold anything, <-
 * so many of them for b, without a look at residuals. */
bool txStationaryCycles(const clSolver *s);
/* Does it tell residuals that do not see the rounding of x, and end where that begins to matter? */
bool txStationaryApart(const clSolver *s);
clStatus txStationaryRun(clSolver *s, clVector *x, const clVector *b, int count);

/* history(k, row) <- the reduction, over all processes */
clStatus txSolverReduce(clSolver *s, const char *call, const txReduction *reduction, int64_t k,
                        int row);

#endif
