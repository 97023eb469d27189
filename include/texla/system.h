/**
 * @file
 * Whole systems in double precision: scaling, choice of a method, refinement, the true residual.
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, options out of their range), TEXLA_BAD_SHAPE (A is not square),
 * TEXLA_NOT_FINITE (positions count from 1), TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY,
 * TEXLA_DEVICE_ERROR, TEXLA_CONTEXT_LOST. The message is in the context (clContextError). All calls
 * block, and belong to the context's thread.
 *
 * Ownership: who creates a clSystem destroys it; it keeps its own copy of A. A report's history is
 * the caller's, to be given to clSystemReportClear.
 *
 * Aliasing: x and b are two arrays.
 *
 * @since 0.1, but where a comment says otherwise */
#ifndef TEXLA_SYSTEM_H
#define TEXLA_SYSTEM_H

#include "texla/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is asked of clSystemSolve. Zero means default. */
typedef struct clSystemOptions {
  /**
   * `host` and `absolute` are ignored, `shell` is refused (A is scaled before it is solved);
   * `near_null_space` is that of A as it is given; `columns` is the most that clSystemSolveMany
   * solves at once, 1: in turn. The monitor sees the iterations of all restarts, relative to b */
  clSolverOptions solver;
  /** how A is stored on the device */
  clMatrixOptions matrix;
  /**
   * go on to double accuracy: tolerance 0 means 1e-12. max_iterations limits those of all restarts
   * together; 0: 10 n for each */
  bool refine;
  /**
   * n x null_count numbers, column after column: vectors v with A v = 0 and A^T v = 0. Their part
   * of b is out of reach and is projected out. NULL: the constant, where A's rows and columns sum
   * to zero (since 0.2) */
  const double *null_space;
  /** at most 8; 0 with null_space: 1 (since 0.2) */
  int null_count;
  /**
   * the relative rounding of A's entries, at most 0.01, 2^-52 of doubles; 0: not asked for. With
   * `refine` x is as exact as elimination in that precision makes it: up to 1000 unknowns (5000
   * with the method plu) its componentwise backward error is at most 8 roundoff. Up to 500 (with
   * plu 5000) A counts as singular if its reciprocal condition, scaled, is below (since 0.3) */
  double roundoff;
} clSystemOptions;

/** What came of a system. */
typedef struct clSystemReport {
  /** why it ended */
  clReason reason;
  /** of all restarts together; how often a solver was started again from the true residual */
  int64_t iterations, restarts;
  /** true, double, ||b - A x|| / ||b||; of b = 0 ||A x|| */
  double residual;
  /** wall clock */
  double seconds_setup, seconds_solve;
  /** passes over textures, and results that were read back */
  int64_t passes, readbacks;
  /** of A on the device */
  clStorage storage;
  /** of the storage */
  char description[256];
  /** used at the end, never auto */
  clMethod method;
  /** used at the end */
  clPreconditioner preconditioner;
  /** of auto, or after a fallback: why; otherwise empty */
  char chosen_because[256];
  /**
   * recursive residuals relative to ||b||, of every iteration but cycles of multigrid in rounds on
   * the device, which have one at the end of each; owned by the report: clSystemReportClear frees
   * it */
  double *history;
  /** numbers in `history` */
  int64_t history_count;
  /**
   * max |b - A x|_i / (|A| |x| + |b|)_i, the componentwise backward error, if the residual alone
   * did not decide; else 0 (since 0.3) */
  double backward_error;
  /** the rank of A, if a factorization in double on the host has decided; else 0 (since 0.3) */
  int32_t rank;
  /** with a rank: an estimate of 1 / (||A||_1 ||A^-1||_1), 0 if a pivot is zero (since 0.3) */
  double rcond;
  /** what the reason means here, as a sentence (since 0.3) */
  char verdict[256];
} clSystemReport;

/** What is known of an x when a solver has ended. Zero: not known, or not asked for. @since 0.3 */
typedef struct clSystemFacts {
  /** ||b - A x||_2, true, in double, and what it has to reach */
  double residual, limit;
  /** the same of D^-1 A x = D^-1 b, D being the diagonal of A */
  double unit_residual, unit_limit;
  /** max |b - A x|_i / (|A| |x| + |b|)_i */
  double backward_error;
  /** why the solver ended; `converged`: it believes so */
  clReason ended;
  /** a part of b is out of reach; A^T (b - A x) is zero to working precision */
  bool inconsistent, least_squares;
} clSystemFacts;

/**
 * The reason that follows from facts, for solvers of one's own and those of texla alike: converged
 * if both residuals meet their limits, else exact if the backward error is rounding, else
 * inconsistent if no x has a smaller residual, else why the solver ended. Any thread.
 * @param facts  NULL: none
 * @return the reason
 * @since 0.3 */
TEXLA_API clReason clSystemJudge(const clSystemFacts *facts);

/**
 * Solves A x = b, given in double on the host, in single precision on the device.
 *
 * A is scaled by powers of two and b to norm 1, and the true residual r = b - A x, computed in
 * double, decides: the run is converged when ||r||_2 <= tolerance ||b||_2. A solver that only
 * believes so is restarted from the true residual, and its corrections are summed in double with
 * the best factors; when that gains no more, the reason is `stagnated`, or `exact` if each row's
 * residual is rounding of its own terms: then no x in double is better, and the system is solved.
 * If the diagonal's magnitudes differ much, D^-1 r has to meet the tolerance beside D^-1 b, too.
 *
 * Of a singular A (see clSystemOptions::null_space) the part of b that no A x has is projected out.
 * The reason is `inconsistent` only when that part is larger than the tolerance and the rest of b
 * has been reached to the tolerance, or when A^T r is zero to working precision: then no x has a
 * smaller residual.
 *
 * With the method auto, cholesky is for symmetric matrices of up to 500 unknowns with a positive
 * diagonal, cg for larger ones, for those that are not positive definite after all, and for a
 * negative diagonal (-A x = -b is solved), gmres or bicgstab for others; a preconditioner that was
 * asked for is kept. What fails, or runs out of memory, is followed by something more robust, from
 * the x reached: a factorization where memory and its estimated time allow, one in double on the
 * host up to 1000 unknowns, GMRES with more vectors. With any method a preconditioner that broke
 * down in single precision is replaced by jacobi.
 *
 * @param context      where
 * @param A            n x n, compressed; not kept
 * @param b            n numbers; not x
 * @param[in,out] x    n numbers, in: start value, out: the best that was reached, whatever the
 *         reason; its residual is never larger than that of the start
 * @param options      NULL: all defaults
 * @param[out] report  may be NULL; of an error it is left as it was. clSystemReportClear frees what
 *         it owns
 * @return TEXLA_OK when converged or exact, else TEXLA_NOT_CONVERGED; also for a singular A, with
 *         any method. TEXLA_BAD_ARGUMENT, TEXLA_BAD_SHAPE, TEXLA_NOT_FINITE (positions count from
 *         1), TEXLA_OUT_OF_MEMORY and other errors leave x as it was */
TEXLA_API clStatus clSystemSolve(clContext *context, const clTriplets *A, const double *b,
                                 double *x, const clSystemOptions *options, clSystemReport *report);

/**
 * The same for `count` right-hand sides, columns of b and x, with one setup. cg without a
 * preconditioner or with jacobi takes up to eight of them at once (clSolverSolveMany) where that is
 * faster, the others come one after the other; each has its own tolerance to meet, reason and
 * history.
 * @param context      where
 * @param A            n x n, compressed; not kept
 * @param count        right-hand sides
 * @param b            n x count numbers, column after column
 * @param[in,out] x    the same
 * @param options      NULL: all defaults
 * @param[out] reports count of them, or NULL. What right-hand sides share, time and passes, is part
 *         of the first report of those that were solved together, the setup of the very first
 * @return TEXLA_NOT_CONVERGED when one of them is not converged; after an error the reports are as
 *         they were, but columns of x may have changed */
TEXLA_API clStatus clSystemSolveMany(clContext *context, const clTriplets *A, int count,
                                     const double *b, double *x, const clSystemOptions *options,
                                     clSystemReport *reports);

/**
 * A system that is set up once: for right-hand sides that come one after the other, and for new
 * values on the same pattern. @since 0.2 */
typedef struct clSystem clSystem;

/**
 * Looks at A, chooses method, preconditioner and scaling, and sends the system to the device; a
 * factorization is computed here.
 * @param[out] out  the caller owns it; untouched where the call fails
 * @param context   where
 * @param A         n x n, compressed; copied
 * @param count     right-hand sides that will come together, as far as that is known (at least 1):
 *         what the solver has room for. Any number can be solved
 * @param options   NULL: all defaults; copied, but what it points to must outlive the system
 * @return as clSystemSolve, but never TEXLA_NOT_CONVERGED
 * @since 0.2 */
TEXLA_API clStatus clSystemCreate(clSystem **out, clContext *context, const clTriplets *A,
                                  int count, const clSystemOptions *options);
/**
 * clSystemSolveMany with the system as it is set up. Where its method has failed and another one
 * has followed, later calls begin with that one. The first report after a setup tells what it has
 * taken.
 * @param s  the system
 * @param count  right-hand sides, at least 1
 * @param b  n x count numbers, column after column; not x
 * @param x  in: start values, out: the best that were reached
 * @param reports  <- `count` of them; NULL is allowed
 * @return as clSystemSolveMany; TEXLA_BAD_ARGUMENT also after clSystemUpdateValues has failed
 * @since 0.2 */
TEXLA_API clStatus clSystemSolveWith(clSystem *s, int count, const double *b, double *x,
                                     clSystemReport *reports);
/**
 * A's entries <- values, in the order of A's, and what depends on values anew, the method auto has
 * chosen as well. What the pattern alone decides stays: where A is held as slots or csr the
 * storage, which the first values have chosen, and the positions of the entries, so that only
 * values are sent; of algebraic multigrid the aggregates, and with them the positions of all its
 * matrices, and where no row of D^-1 A is far from what it was the transfers between its levels; of
 * incomplete factors theirs. Other storages, the coarser matrices of geometric
 * multigrid and dense factorizations are made anew; memory on the device and compiled programs are
 * used again.
 *
 * Aggregates are replaced where more than a tenth of the entries off the diagonal have become
 * strong that were weak, or the other way round; where a solution since has taken half as many
 * iterations again, for each digit, as with the values that the aggregates were made for; and where
 * a solution with them fails, at once.
 * @param s       the system; after an error only this call or clSystemDestroy may follow
 * @param values  as many as A has entries
 * @return as clSystemCreate
 * @since 0.2 */
TEXLA_API clStatus clSystemUpdateValues(clSystem *s, const double *values);
/** Ends a system.
 * @param s  NULL is allowed
 * @since 0.2 */
TEXLA_API void clSystemDestroy(clSystem *s);

/** Frees what a report owns, and sets its history to none; the report itself is the caller's.
 * @param report  NULL is allowed */
TEXLA_API void clSystemReportClear(clSystemReport *report);

#ifdef __cplusplus
}
#endif
#endif
