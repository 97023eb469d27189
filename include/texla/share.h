/* clShare (B8): a batch of independent dense systems or factorizations, shared between the
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
 * there is none, queues do all. Source: the thesis, 4.2.4. One call at a time for each clShare.
 * @since 0.2 */
#ifndef TEXLA_SHARE_H
#define TEXLA_SHARE_H

#include "texla/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clShare clShare;

/* Zero means default. */
typedef struct clShareOptions {
  /* queues alone */
  bool no_processor;
  /* queues on software devices take part as well */
  bool software_too;
} clShareOptions;

enum { TEXLA_SHARE_WORKERS = 17 };

/* Queues are borrowed and must outlive *out, which the caller owns; count 0 to 8. Waits a moment
 * for each queue, to read its times. */
TEXLA_API clStatus clShareCreate(clShare **out, clQueue *const *queue, int count,
                                 const clShareOptions *options, clError *error);
/* NULL is allowed */
TEXLA_API void clShareDestroy(clShare *share);

typedef struct clShareWorker {
  char name[64];
  /* tasks: by the times known beforehand, and really: what is more was taken from others */
  int planned, done;
  /* for a task, as last known; 0: never tried */
  double seconds;
} clShareWorker;

typedef struct clShareReport {
  /* tasks that failed (singular matrices) */
  int workers, failed;
  clShareWorker worker[TEXLA_SHARE_WORKERS];
  /* of the whole batch */
  double seconds;
  /* who was left out, and why */
  char remark[256];
} clShareReport;

/* x_k <- A_k^-1 b_k for k < count: n x n matrices column after column, one right-hand side each,
 * single precision. When tasks fail, the others are done, the failed ones' x stay as they were, and
 * the status and message are the first one's. */
TEXLA_API clStatus clShareSolve(clShare *share, int n, int count, const float *const *A,
                                const float *const *b, float *const *x, clShareReport *report,
                                clError *error);
/* P A_k = L U: factors_k <- L (unit, below the diagonal) and U; row i of P A_k is row rows_k[i] of
 * A_k. */
TEXLA_API clStatus clShareFactor(clShare *share, int n, int count, const float *const *A,
                                 float *const *factors, int32_t *const *rows, clShareReport *report,
                                 clError *error);

#ifdef __cplusplus
}
#endif
#endif
