/**
 * @file
 * clShare (B8): a batch of independent dense systems or factorizations, shared between the
 * processor (LAPACK) and queues.
 *
 * Every worker - LAPACK in the calling thread, two threads for each queue, so that one transfers
 * while the other's matrix is computed - takes the next task when it has done one. How long a task
 * takes each of them is measured for each size and corrected while tasks run; a worker that would
 * need longer for a task than the others for all that are left leaves them the rest, so that nobody
 * waits for a slow one at the end. Transfers and waiting cost LAPACK's processor time, so that all
 * together may be slower than one alone: whole batches are measured as well, with LAPACK alone,
 * queues alone and all together, and the fastest way is taken. A queue on a software device would
 * compete with LAPACK for the same processor: it gets nothing. The report says who worked alone,
 * and why.
 *
 * The times of at most 31 sizes are kept in the tuning files of the queues' devices
 * (clContextOptions::tuning, or the cache folder); lines that make no sense are ignored.
 *
 * LAPACK is loaded when a clShare is created (OpenBLAS, or what the system calls liblapack); where
 * there is none, queues do all.
 *
 * Threads: one call at a time for each clShare.
 *
 * Source: the thesis, 4.2.4 (B8).
 *
 * Errors: each call lists its own. Ownership: who creates destroys; queues are borrowed, arrays
 * stay the caller's.
 *
 * @since 0.2 */
#ifndef TEXLA_SHARE_H
#define TEXLA_SHARE_H

#include "texla/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The workers of batches: LAPACK, and queues that are borrowed. */
typedef struct clShare clShare;

/** Who works. Zero means default. */
typedef struct clShareOptions {
  /** queues alone */
  bool no_processor;
  /** queues on software devices take part as well */
  bool software_too;
} clShareOptions;

/** The most workers that a report tells of: LAPACK, and two for each of 8 queues. */
enum { TEXLA_SHARE_WORKERS = 17 };

/** Gathers workers, and reads the times that are known of them. Waits a moment for each queue.
 * @param out  the caller owns it
 * @param queue  `count` queues, which must outlive *out and stay the caller's
 * @param count  0 to 8
 * @param options  NULL: all defaults
 * @param error  says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (also where there is neither LAPACK nor a queue),
 *         TEXLA_OUT_OF_MEMORY, or why a queue does not answer */
TEXLA_API clStatus clShareCreate(clShare **out, clQueue *const *queue, int count,
                                 const clShareOptions *options, clError *error);
/** Ends a clShare; its queues stay.
 * @param share  NULL is allowed */
TEXLA_API void clShareDestroy(clShare *share);

/** What one worker has done of a batch. */
typedef struct clShareWorker {
  /** "LAPACK", or the device of a queue */
  char name[64];
  /** Tasks: by the times known beforehand, and really. What is more was taken from others. */
  int planned, done;
  /** seconds for a task, as last known; 0: never tried */
  double seconds;
} clShareWorker;

/** How a batch was shared. */
typedef struct clShareReport {
  /** workers that took part; tasks that failed because their matrices are singular */
  int workers, failed;
  /** the first `workers` of these are set */
  clShareWorker worker[TEXLA_SHARE_WORKERS];
  /** of the whole batch */
  double seconds;
  /** who was left out, and why */
  char remark[256];
} clShareReport;

/** x_k <- A_k^-1 b_k for k < count, in single precision. Blocks until all are done.
 * @param share  the workers
 * @param n  the order of all matrices
 * @param count  how many systems
 * @param A  n x n matrices, column after column; they stay as they are
 * @param b  a right-hand side of n numbers for each
 * @param x  <- the solutions, n numbers each; those of tasks that fail stay as they were, the
 *           others are done all the same
 * @param report  <- who did what; NULL is allowed
 * @param error  <- of the first task that failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_OUT_OF_MEMORY, or the status of the first task that
 *         failed: TEXLA_SINGULAR, TEXLA_NOT_FINITE */
TEXLA_API clStatus clShareSolve(clShare *share, int n, int count, const float *const *A,
                                const float *const *b, float *const *x, clShareReport *report,
                                clError *error);
/** P A_k = L U for k < count, in single precision. Blocks until all are done.
 * @param share  the workers
 * @param n  the order of all matrices
 * @param count  how many matrices
 * @param A  n x n matrices, column after column; they stay as they are
 * @param factors  <- L (its diagonal is 1, and not stored) below the diagonal, U on and above it
 * @param rows  <- n numbers each: row i of P A_k is row rows[k][i] of A_k, counted from 0
 * @param report  <- who did what; NULL is allowed
 * @param error  <- of the first task that failed; NULL is allowed
 * @return as clShareSolve */
TEXLA_API clStatus clShareFactor(clShare *share, int n, int count, const float *const *A,
                                 float *const *factors, int32_t *const *rows, clShareReport *report,
                                 clError *error);

#ifdef __cplusplus
}
#endif
#endif
