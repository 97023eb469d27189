/**
 * @file
 * Iterative solvers in one frame: tolerances, reasons, monitor, history.
 *
 * Create (allocates), solve, or initialize and iterate (allocate nothing), destroy. A fixed number
 * of iterations performs no read-back; otherwise residuals are read asynchronously at a fixed lag
 * (software: none), so that runs repeat bit for bit.
 *
 * All is in single precision, b and x with it: what a solver ends with is the residual that it
 * recurs on, and there is nothing to refine to. clSystemSolve and clSystem (system.h) are what
 * refines: there A, b and x are in double, rounds of a solver correct x, residuals are taken where
 * that is faster (on a graphics card in double-float), and "converged" is the true residual, in
 * double.
 *
 * Errors are negative values of clStatus, with a message in the context (clContextError):
 * TEXLA_BAD_ARGUMENT (NULL, an option out of its range), TEXLA_BAD_SHAPE, TEXLA_FOREIGN_CONTEXT,
 * TEXLA_OUT_OF_MEMORY, TEXLA_DEVICE_ERROR; comments name others. A failed call leaves x as it was
 * unless it says otherwise.
 *
 * Threads: all calls belong to the thread that has the context.
 *
 * Ownership: who creates a solver destroys it. It keeps A, which must outlive it, but no vectors
 * between solutions; what getters return is the solver's.
 *
 * Aliasing: x and b are two vectors.
 *
 * Waiting: a solution blocks, but for a fixed number of iterations.
 *
 * @since 0.1, but where a comment says otherwise */
#ifndef TEXLA_SOLVER_H
#define TEXLA_SOLVER_H

#include "texla/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Why an iteration ended: constant, text in JSON. */
#define TEXLA_REASON_LIST(X)                                                                       \
  X(TEXLA_REASON_NONE, "none")                                                                     \
  X(TEXLA_REASON_CONVERGED, "converged")                                                           \
  X(TEXLA_REASON_STAGNATED, "stagnated")                                                           \
  X(TEXLA_REASON_MAX_ITERATIONS, "max_iterations")                                                 \
  X(TEXLA_REASON_DIVERGED, "diverged")                                                             \
  X(TEXLA_REASON_BREAKDOWN, "breakdown")                                                           \
  X(TEXLA_REASON_NOT_POSITIVE_DEFINITE, "not_positive_definite")                                   \
  X(TEXLA_REASON_BAD_PRECONDITIONER, "bad_preconditioner")                                         \
  X(TEXLA_REASON_SINGULAR, "singular")                                                             \
  X(TEXLA_REASON_INCONSISTENT, "inconsistent")                                                     \
  X(TEXLA_REASON_NAN, "nan")                                                                       \
  X(TEXLA_REASON_STOPPED, "stopped")                                                               \
  X(TEXLA_REASON_EXACT, "exact")
/**
 * Why an iteration ended.
 *
 * - `converged`: the tolerance is met
 * - `stagnated`: the residual no longer falls
 * - `max_iterations`: the limit was reached
 * - `diverged`: ||r|| > divergence ||r_0||
 * - `breakdown`: a division by zero in the method
 * - `not_positive_definite`: a direction p with p.Ap < 0 was met, so that A is not what conjugate
 *   gradients need;
 *   clSystemSolve says so only where p.Ap <= 0 in double too
 * - `bad_preconditioner`: r.Mr < 0, so that M is not positive definite, or not in single precision
 * - `singular`: a direct method met a zero pivot
 * - `inconsistent`: A is singular and b does not belong to it: no x has a smaller residual, since
 *   A^T r is zero
 * - `nan`: a value went beyond single precision
 * - `exact`: x is as exact as double allows: the tolerance is not met, but each row's residual is
 *   rounding of its own terms (clSystemSolve; since 0.3)
 * - `stopped`: the monitor wanted it */
typedef enum clReason {
#define TEXLA_REASON_ENUM(name, text) name,
  /** The one list of reasons: constant, text in JSON. */
  TEXLA_REASON_LIST(TEXLA_REASON_ENUM)
#undef TEXLA_REASON_ENUM
} clReason;
/** A reason's text.
 * @param reason  any value
 * @return a constant; "unknown" for values that are not in the list */
TEXLA_API const char *clReasonText(clReason reason);
/** True if the reason is one of success: converged or exact.
 * @param reason  any value
 * @return true or false
 * @since 0.3 */
TEXLA_API bool clReasonSolved(clReason reason);

/** Methods: constant, name, what it is for in one line. */
#define TEXLA_METHOD_LIST(X)                                                                       \
  X(TEXLA_METHOD_CG, "cg", "conjugate gradients (A must be symmetric positive definite)")          \
  X(TEXLA_METHOD_JACOBI, "jacobi", "Jacobi's iteration (A wants a dominant diagonal)")             \
  X(TEXLA_METHOD_BICGSTAB, "bicgstab", "BiCGStab (any regular A)")                                 \
  X(TEXLA_METHOD_GMRES, "gmres", "restarted GMRES (any regular A)")                                \
  X(TEXLA_METHOD_MG, "mg", "cycles of geometric multigrid (A comes from a grid)")                  \
  X(TEXLA_METHOD_AMG, "amg", "cycles of algebraic multigrid")                                      \
  X(TEXLA_METHOD_AUTO, "auto",                                                                     \
    "what suits A (see the report), and something more robust when that fails")                    \
  X(TEXLA_METHOD_PLU, "plu", "P A = L U as a dense matrix (any regular A)")                        \
  X(TEXLA_METHOD_CHOLESKY, "cholesky",                                                             \
    "A = L L^T as a dense matrix (A must be symmetric positive definite)")
/**
 * Methods. `jacobi`, `mg` and `amg` are x <- x + damping M (b - A x) until the end; gmres keeps
 * clSolverOptions::restart vectors; `auto`, `plu` and `cholesky` are for clSystemSolve. */
typedef enum clMethod {
#define TEXLA_METHOD_ENUM(name, text, help) name,
  /** The one list of methods: constant, name, what it is for in one line. */
  TEXLA_METHOD_LIST(TEXLA_METHOD_ENUM)
#undef TEXLA_METHOD_ENUM
} clMethod;
/** A method's name.
 * @param method  any value
 * @return a constant; "unknown" for values that are not in the list */
TEXLA_API const char *clMethodName(clMethod method);
/** What a method is for, in one line.
 * @param method  any value
 * @return a constant; "" for values that are not in the list
 * @since 0.2 */
TEXLA_API const char *clMethodHelp(clMethod method);

/** Preconditioners z <- M r: constant, name, what it is in one line. */
#define TEXLA_PRECONDITIONER_LIST(X)                                                               \
  X(TEXLA_PRECONDITIONER_NONE, "none", "the identity")                                             \
  X(TEXLA_PRECONDITIONER_JACOBI, "jacobi", "the inverse of A's diagonal")                          \
  X(TEXLA_PRECONDITIONER_CHEBYSHEV, "chebyshev", "a Chebyshev polynomial")                         \
  X(TEXLA_PRECONDITIONER_MG, "mg", "a cycle of geometric multigrid (needs a grid)")                \
  X(TEXLA_PRECONDITIONER_AMG, "amg", "a cycle of algebraic multigrid")                             \
  X(TEXLA_PRECONDITIONER_ILU0, "ilu0", "incomplete L U on the pattern of A")                       \
  X(TEXLA_PRECONDITIONER_IC0, "ic0", "incomplete Cholesky on the pattern of A (symmetric)")
/**
 * Preconditioners, for cg (M symmetric positive definite when A is), bicgstab and gmres (from the
 * right). chebyshev is a polynomial in D^-1 A that is small on the upper part of its spectrum. For
 * one of your own see clSolverOptions::shell. */
typedef enum clPreconditioner {
#define TEXLA_PRECONDITIONER_ENUM(name, text, help) name,
  /** The one list of preconditioners z <- M r: constant, name, what it is in one line. */
  TEXLA_PRECONDITIONER_LIST(TEXLA_PRECONDITIONER_ENUM)
#undef TEXLA_PRECONDITIONER_ENUM
} clPreconditioner;
/** A preconditioner's name.
 * @param preconditioner  any value
 * @return a constant; "unknown" for values that are not in the list */
TEXLA_API const char *clPreconditionerName(clPreconditioner preconditioner);
/** What a preconditioner is, in one line.
 * @param preconditioner  any value
 * @return a constant; "" for values that are not in the list
 * @since 0.2 */
TEXLA_API const char *clPreconditionerHelp(clPreconditioner preconditioner);

/** The shape of multigrid's cycles. */
typedef enum clCycle { TEXLA_CYCLE_V, TEXLA_CYCLE_W, TEXLA_CYCLE_F } clCycle;

/**
 * Called while an iteration runs, some iterations late, in the thread that solves.
 * @param user       clSolverOptions::monitor_user
 * @param iteration  how many iterations are done
 * @param residual   the (recursive) residual norm relative to ||b||; of several right-hand sides
 *         the largest of those that have not ended
 * @return false to stop the run (TEXLA_REASON_STOPPED) */
typedef bool (*clMonitor)(void *user, int64_t iteration, double residual);

/** Sums over processes: values <- their sums over all processes that solve together. @since 0.2 */
typedef struct clSum {
  /** Adds up `count` numbers in place; an error that it returns ends the run. NULL: there is one
   * process. */
  clStatus (*apply)(void *user, double *values, int count);
  /** is handed on to `apply` */
  void *user;
} clSum;

/** What is asked of a solver. Zero means default, so that `{0}` is conjugate gradients to 1e-6. */
typedef struct clSolverOptions {
  /** zero: conjugate gradients */
  clMethod method;
  /** zero: none */
  clPreconditioner preconditioner;
  /** of jacobi, mg and amg as methods; 0: 1 */
  float damping;
  /** stop when ||r|| <= tolerance ||b||, in [0, 1); 0: 1e-6 */
  double tolerance;
  /** ... or when ||r|| <= absolute */
  double absolute;
  /** stop when ||r|| > divergence ||r_0||; 0: 1e5; negative: never */
  double divergence;
  /** 0: 10 n */
  int64_t max_iterations;
  /** sees every residual and may stop the run; NULL: none */
  clMonitor monitor;
  /** is handed on to `monitor` */
  void *monitor_user;
  /** gmres: vectors kept, at most 1000; 0: 30 */
  int restart;
  /** ilu0, ic0: Jacobi steps for each triangle in an application, at most 100; 0: 4 */
  int sweeps;
  /** chebyshev: products with A in an application, at most 100; 0: 5 */
  int degree;
  /** mg, amg, ilu0, ic0: A on the host, needed for the setup only */
  const clTriplets *host;
  /**
   * amg: n x near_null_count numbers, column after column: vectors that A nearly maps to zero, such
   * as the rigid-body modes of an elastic body; needed for the setup only. NULL: ones */
  const double *near_null_space;
  /** at most 8; 0: 1 (since 0.2) */
  int near_null_count;
  /** of mg and amg */
  clCycle cycle;
  /**
   * mg and amg: all levels are passes; without it the host computes coarse levels where passes are
   * expensive, unless the context is traced (since 0.3) */
  bool device_levels;
  /** mg: A's grid; 0: that of A's vectors */
  int grid_nx, grid_ny;
  /**
   * right-hand sides that are solved at once (clSolverSolveMany), at most 8; 0: 1. More than 1: cg
   * without a preconditioner or with jacobi */
  int columns;
  /**
   * a preconditioner of one's own, z <- M r, for cg, bicgstab and gmres (`preconditioner` is NONE
   * then). It is called once or twice an iteration and should not read back; its user must outlive
   * the solver. An error that it returns ends the run (since 0.2) */
  clShell shell;
  /**
   * each vector is one process's part of a longer one, A (an operator of one's own) multiplies the
   * longer ones: dot products are summed over processes, all of which call the same functions. cg
   * and bicgstab, one right-hand side; an iteration then waits for each of its sums. Zero: there is
   * one process (since 0.2) */
  clSum sum;
} clSolverOptions;

/** What came of a run. */
typedef struct clSolverReport {
  /** why it ended */
  clReason reason;
  /** that were done, also beyond the x that was returned */
  int64_t iterations;
  /** recursive, relative to ||b||, of the x that was returned */
  double residual;
  /** of this solve: passes over textures, and results that were read back */
  int64_t passes, readbacks;
} clSolverReport;

/** A method, its preconditioner and their vectors, for one matrix. */
typedef struct clSolver clSolver;

/**
 * Sets up a solver for A x = b.
 * @param[out] out  the solver; the caller owns it
 * @param A         n x n, in any storage, or an operator of one's own (clMatrixCreateShell);
 *         borrowed, must outlive the solver
 * @param options   NULL: all defaults. Not kept, nor what it points to, but for `monitor_user` and
 *         `shell.user`
 * @return TEXLA_BAD_ARGUMENT for options out of their range, TEXLA_BAD_SHAPE for an A that is not
 *         square or does not fit a grid, TEXLA_SINGULAR for a zero on a diagonal that is to be
 *         inverted, TEXLA_UNSUPPORTED, TEXLA_OUT_OF_MEMORY */
TEXLA_API clStatus clSolverCreate(clSolver **out, const clMatrix *A,
                                  const clSolverOptions *options);
/** Ends a solver, with what clSolverHistory has returned; its matrix stays.
 * @param solver  NULL is allowed */
TEXLA_API void clSolverDestroy(clSolver *solver);

/**
 * Solves A x = b from the start value in x. Blocking.
 *
 * Afterwards x is the iterate at which the reason occurred (with `stopped`, a few later). It is
 * never worse than the start: after a failure (diverged, breakdown, a preconditioner or an A that
 * is not positive definite) x is the best of the iterates that were kept on the way, or the start
 * itself. Where b or A x is NaN it stays as it was.
 * @param solver      of clSolverCreate
 * @param[in,out] x   start value and solution, from clMatrixCreateVector; not b
 * @param b           right-hand side, of the same layout
 * @param[out] report may be NULL
 * @return TEXLA_OK when converged, else TEXLA_NOT_CONVERGED. The residual is the recursive one:
 *         clSystemSolve checks the true one */
TEXLA_API clStatus clSolverSolve(clSolver *solver, clVector *x, const clVector *b,
                                 clSolverReport *report);

/**
 * Begins by hand: r <- b - A x. No read-back, but for multigrid on a software renderer
 * (clMultigridOptions::host_points).
 * @param solver  of clSolverCreate
 * @param x  start value, from clMatrixCreateVector; the iterations change it. Stays the caller's
 *         and must outlive them; not b
 * @param b  right-hand side, of the same layout; must outlive the iterations
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_BAD_SHAPE, TEXLA_FOREIGN_CONTEXT,
 *         TEXLA_OUT_OF_MEMORY, TEXLA_DEVICE_ERROR */
TEXLA_API clStatus clSolverInit(clSolver *solver, clVector *x, const clVector *b);
/**
 * Runs exactly `count` iterations more, without a look at the residual and without a read-back (but
 * see clSolverInit, and clSolverOptions::sum).
 * @param solver  after clSolverInit or clSolverInitMany
 * @param count  at least 0
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (also: nothing was begun), TEXLA_DEVICE_ERROR, or what an
 *         operator of one's own returns; x then is that of an iteration before */
TEXLA_API clStatus clSolverIterate(clSolver *solver, int64_t count);

/**
 * Solves A x_j = b_j for count <= options.columns right-hand sides at once. They share what is
 * fetched of A and the passes, but each ends by itself, with a reason of its own, and is left alone
 * from then on. Blocking.
 * @param solver  created with `columns` >= count
 * @param count  right-hand sides, at least 1
 * @param x  `count` distinct vectors, none of them a b; in: start values, out: solutions
 * @param b  `count` vectors
 * @param reports  <- `count` of them; NULL is allowed; passes and readbacks stand in the first
 * @return TEXLA_OK when all have converged, TEXLA_NOT_CONVERGED when one of them has not; errors as
 *         clSolverInit */
TEXLA_API clStatus clSolverSolveMany(clSolver *solver, int count, clVector *const *x,
                                     const clVector *const *b, clSolverReport *reports);
/** clSolverInit for several; clSolverIterate goes on with all.
 * @param solver  created with `columns` >= count
 * @param count  right-hand sides, at least 1
 * @param x  `count` distinct vectors, none of them a b; must outlive the iterations
 * @param b  `count` vectors; must outlive the iterations
 * @return as clSolverInit */
TEXLA_API clStatus clSolverInitMany(clSolver *solver, int count, clVector *const *x,
                                    const clVector *const *b);

/** The residual norms ||r_0||, ||r_1||, ... of the last clSolverSolve, absolute.
 * @param solver      NULL: no history
 * @param[out] count  how many; may be NULL
 * @return owned by the solver, valid until its next call; NULL where there is none */
TEXLA_API const double *clSolverHistory(const clSolver *solver, int64_t *count);
/** As clSolverHistory, of one of the last right-hand sides.
 * @param solver  NULL: no history
 * @param column  which one, from 0
 * @param count  <- how many; NULL is allowed
 * @return owned by the solver, valid until its next call; NULL where there is none */
TEXLA_API const double *clSolverHistoryOf(const clSolver *solver, int column, int64_t *count);

#ifdef __cplusplus
}
#endif
#endif
