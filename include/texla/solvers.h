/* Iterative solvers in one frame: tolerances, reasons, monitor, history.
 *
 * create (allocates) / solve, or init + iterate (allocate nothing) / destroy. A fixed number of iterations performs no
 * read-back; otherwise residuals are read asynchronously at a fixed lag, so that runs repeat bit for bit. */
#ifndef TEXLA_SOLVERS_H
#define TEXLA_SOLVERS_H

#include "texla/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why an iteration ended: name, text in JSON. */
#define TEXLA_REASON_LIST(X)                                                                                           \
  X(TEXLA_REASON_NONE, "none")                                                                                         \
  X(TEXLA_REASON_CONVERGED, "converged")                                                                               \
  X(TEXLA_REASON_STAGNATED, "stagnated")                                                                               \
  X(TEXLA_REASON_MAX_ITERATIONS, "max_iterations")                                                                     \
  X(TEXLA_REASON_DIVERGED, "diverged")                                                                                 \
  X(TEXLA_REASON_BREAKDOWN, "breakdown")                                                                               \
  X(TEXLA_REASON_NOT_POSITIVE_DEFINITE, "not_positive_definite")                                                       \
  X(TEXLA_REASON_INCONSISTENT, "inconsistent")                                                                         \
  X(TEXLA_REASON_NAN, "nan")                                                                                           \
  X(TEXLA_REASON_STOPPED, "stopped")
typedef enum clReason {
#define TEXLA_REASON_ENUM(name, text) name,
  TEXLA_REASON_LIST(TEXLA_REASON_ENUM)
#undef TEXLA_REASON_ENUM
} clReason;
TEXLA_API const char *clReasonText(clReason reason);

/* Methods and preconditioners: name, text. Which needs what:
 *   cg        A symmetric positive definite
 *   jacobi    x <- x + damping D^-1 (b - A x); a dominant diagonal
 *   bicgstab  any regular A; short recurrences
 *   gmres     any regular A; restarted, keeps `restart` vectors
 *   mg, amg   cycles of geometric or algebraic multigrid until the end, x <- x + damping M (b - A x)
 *   auto      (clSystemSolve only) chosen by symmetry, the diagonal and structure; falls back when the choice fails
 *   plu       (clSystemSolve only) A as a dense matrix, factored once and refined: any regular A of moderate size */
#define TEXLA_METHOD_LIST(X)                                                                                           \
  X(TEXLA_METHOD_CG, "cg")                                                                                             \
  X(TEXLA_METHOD_JACOBI, "jacobi")                                                                                     \
  X(TEXLA_METHOD_BICGSTAB, "bicgstab")                                                                                 \
  X(TEXLA_METHOD_GMRES, "gmres")                                                                                       \
  X(TEXLA_METHOD_MG, "mg")                                                                                             \
  X(TEXLA_METHOD_AMG, "amg")                                                                                           \
  X(TEXLA_METHOD_AUTO, "auto")                                                                                         \
  X(TEXLA_METHOD_PLU, "plu")
typedef enum clMethod {
#define TEXLA_METHOD_ENUM(name, text) name,
  TEXLA_METHOD_LIST(TEXLA_METHOD_ENUM)
#undef TEXLA_METHOD_ENUM
} clMethod;
TEXLA_API const char *clMethodName(clMethod method);

/* z <- M r for cg (M symmetric positive definite when A is), bicgstab and gmres (from the right).
 *   jacobi     D^-1
 *   chebyshev  a polynomial in D^-1 A, small on the upper part of its spectrum
 *   mg         one cycle of geometric multigrid (multigrid.h)
 *   amg        one cycle of smoothed aggregation, set up on the host in double */
#define TEXLA_PRECONDITIONER_LIST(X)                                                                                   \
  X(TEXLA_PRECONDITIONER_NONE, "none")                                                                                 \
  X(TEXLA_PRECONDITIONER_JACOBI, "jacobi")                                                                             \
  X(TEXLA_PRECONDITIONER_CHEBYSHEV, "chebyshev")                                                                       \
  X(TEXLA_PRECONDITIONER_MG, "mg")                                                                                     \
  X(TEXLA_PRECONDITIONER_AMG, "amg")
typedef enum clPreconditioner {
#define TEXLA_PRECONDITIONER_ENUM(name, text) name,
  TEXLA_PRECONDITIONER_LIST(TEXLA_PRECONDITIONER_ENUM)
#undef TEXLA_PRECONDITIONER_ENUM
} clPreconditioner;
TEXLA_API const char *clPreconditionerName(clPreconditioner preconditioner);

typedef enum clCycle { TEXLA_CYCLE_V, TEXLA_CYCLE_W, TEXLA_CYCLE_F } clCycle; /* of multigrid */

/* Called with the (recursive) residual norm relative to ||b||, some iterations late; return false to stop the run. */
typedef bool (*clMonitor)(void *user, int64_t iteration, double residual);

/* Zero means default. */
typedef struct clSolverOptions {
  clMethod method;
  clPreconditioner preconditioner;
  float damping;          /* jacobi, mg, amg as methods; 0: 1 */
  double tolerance;       /* stop when ||r|| <= tolerance ||b||; 0: 1e-6 */
  double absolute;        /* ... or ||r|| <= absolute */
  double divergence;      /* stop when ||r|| > divergence ||r_0||; 0: 1e5; negative: never */
  int64_t max_iterations; /* 0: 10 n */
  clMonitor monitor;
  void *monitor_user;
  int restart;               /* gmres: vectors kept, at most 1000; 0: 30 */
  int degree;                /* chebyshev: products with A in an application; 0: 5 */
  const clTriplets *host;    /* mg, amg: A on the host; clSolverCreate does not keep it */
  const double *near_kernel; /* amg: n numbers that A nearly maps to zero; NULL: ones. Not kept */
  clCycle cycle;             /* mg, amg */
  int grid_nx, grid_ny;      /* mg: A's grid; 0: that of A's vectors */
  int columns;               /* right-hand sides that are solved at once (clSolverSolveMany), at most 8; 0: 1. More than
                                1: cg without a preconditioner or with jacobi */
} clSolverOptions;

typedef struct clSolverReport {
  clReason reason;
  int64_t iterations;
  double residual;           /* recursive, relative to ||b|| */
  int64_t passes, readbacks; /* of this solve */
} clSolverReport;

typedef struct clSolver clSolver;

/* A is borrowed and must outlive the solver. The caller owns *out. */
TEXLA_API clStatus clSolverCreate(clSolver **out, const clMatrix *A, const clSolverOptions *options);
TEXLA_API void clSolverDestroy(clSolver *solver); /* NULL is allowed */

/* Solves A x = b from the start value in x. x is the iterate at which the reason occurred (with `stopped`, a few later);
 * where b or A x is NaN it stays as it was. The status is TEXLA_NOT_CONVERGED unless the reason is converged; the
 * residual is the recursive one (clSystemSolve checks the true one). Blocking. `report` may be NULL. */
TEXLA_API clStatus clSolverSolve(clSolver *solver, clVector *x, const clVector *b, clSolverReport *report);

/* The same by hand: Init computes r = b - A x, every Iterate runs exactly `count` iterations. No read-back, but for
 * multigrid on a software renderer (host_points in multigrid.h). */
TEXLA_API clStatus clSolverInit(clSolver *solver, clVector *x, const clVector *b);
TEXLA_API clStatus clSolverIterate(clSolver *solver, int64_t count);

/* The same for count <= options.columns right-hand sides at once: A x_j = b_j. They share what is fetched of A and the
 * passes, but each ends by itself, with a reason of its own, and is left alone from then on; the monitor sees the largest
 * residual of those that have not ended. `reports`: count of them, or NULL; passes and readbacks stand in the first.
 * Iterate goes on with all. */
TEXLA_API clStatus clSolverSolveMany(clSolver *solver, int count, clVector *const *x, const clVector *const *b,
                                     clSolverReport *reports);
TEXLA_API clStatus clSolverInitMany(clSolver *solver, int count, clVector *const *x, const clVector *const *b);

/* The residual norms ||r_0||, ||r_1||, ... of the last clSolverSolve, absolute; owned by the solver, valid until its
 * next call. HistoryOf: of one of the last right-hand sides. */
TEXLA_API const double *clSolverHistory(const clSolver *solver, int64_t *count);
TEXLA_API const double *clSolverHistoryOf(const clSolver *solver, int column, int64_t *count);

/* A whole system in double on the host, solved in single precision on the device: A is scaled by powers of two and b to
 * norm 1, and the true residual b - A x, computed in double, decides: the run is converged when
 * ||b - A x||_2 <= tolerance ||b||_2. A solver that only believes so is restarted from the true residual, and its corrections
 * are summed in double with the best factors; when that gains no more, the reason is stagnated, or inconsistent
 * where A^T (b - A x) is nearly zero: no x is better.
 *
 * With the method auto, cg is for symmetric matrices whose diagonal has one sign (a negative one is solved as -A x = -b),
 * gmres or bicgstab for others; a preconditioner that was asked for is kept. What fails is followed by something more
 * robust, from the x reached. */
typedef struct clSystemOptions {
  clSolverOptions solver; /* host and near_kernel are ignored; columns is the most for clSystemSolveMany, 1: in turn */
  clMatrixOptions matrix;
  bool refine; /* tolerance 0 means 1e-12; max_iterations counts for every restart */
  void (*progress)(void *user, int64_t iteration, double residual); /* may be NULL */
  void *progress_user;
} clSystemOptions;
typedef struct clSystemReport {
  clReason reason;
  int64_t iterations, restarts;
  double residual;                     /* true, double, relative to ||b|| */
  double seconds_setup, seconds_solve; /* wall clock */
  int64_t passes, readbacks;
  clStorage storage;
  char description[256]; /* of the storage */
  clMethod method;       /* used at the end, never auto */
  clPreconditioner preconditioner;
  char chosen_because[256]; /* auto: why; otherwise empty */
  double *history; /* recursive residuals relative to ||b||, owned by the report: clSystemReportClear frees it */
  int64_t history_count;
} clSystemReport;
/* x: cols doubles, in: start value, out: solution (the best reached, whatever the reason). */
TEXLA_API clStatus clSystemSolve(clContext *context, const clTriplets *A, const double *b, double *x,
                                 const clSystemOptions *options, clSystemReport *report);
/* The same for `count` right-hand sides, columns of b and x, with one setup. cg without a preconditioner or with jacobi takes
 * up to eight of them at once (clSolverSolveMany) where that is faster, the others come one after the other; each has its
 * own tolerance to meet, reason and history. What they share, time and passes, is part of the first report of those that
 * were solved together, the setup of the very first. The status is TEXLA_NOT_CONVERGED when one of them is not converged;
 * after an error the reports are as they were, but columns of x may have changed. */
TEXLA_API clStatus clSystemSolveMany(clContext *context, const clTriplets *A, int count, const double *b, double *x,
                                     const clSystemOptions *options, clSystemReport *reports);
TEXLA_API void clSystemReportClear(clSystemReport *report);

#ifdef __cplusplus
}
#endif
#endif
