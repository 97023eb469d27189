/* clQueue (B6): a background thread that owns a context, so that a device works while its callers
 * go on.
 *
 * Operations are submitted by name and return at once with an id for each result; ids are operands
 * before their values exist. The worker executes operations in the order of their submission.
 * Values are real matrices; vectors are matrices of one column. What clQueueOperation lists is all
 * there is by name, and clQueueCall adds functions of your own.
 *
 *     clQueuePut(queue, &A, &matrix, &error);  // copies the matrix
 *     // returns at once
 *     clQueueSubmit(queue, "multiply", (clQueueOperand[]){{A}, {A}}, 2, &C, 1, &error);
 *     clQueueRead(queue, C, &error);  // starts to read it back when it is there
 *     ... work of your own ...
 *     clQueueFetch(queue, C, &result, -1, &error);  // waits, copies
 *
 * Threads: every call may come from any thread, but clQueueDestroy must be the last one. Sizes that
 * do not fit are refused when an operation is submitted; an operation that fails later fails what
 * depends on it, with the first cause, and nothing else: fetching such a value returns that status
 * and message. Every call takes a clError of the caller's, which may be NULL. After clQueueStop,
 * and for operations that were cancelled, the status is TEXLA_CANCELLED. Source: the thesis'
 * chapter 4.2 (B6). @since 0.2 */
#ifndef TEXLA_QUEUE_H
#define TEXLA_QUEUE_H

#include "texla/dense.h"
#include "texla/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clQueue clQueue;
/* Names one value of one queue; never used again within 2^33 submissions, below 2^53 (exact as a
 * double), 0: none. */
typedef int64_t clQueueId;

/* Zero means default. */
typedef struct clQueueOptions {
  /* of the context that the worker makes; its texts are copied. Not `adopt` */
  const clContextOptions *context;
  /* bytes that all values may hold, on the device and on the host; 0: the context's memory limit */
  size_t memory_limit;
  /* operations that wait; 0: 1024 */
  int pending_limit;
  /* seconds for which a submission waits for room before it returns TEXLA_NOT_READY; 0: for ever */
  double patience;
} clQueueOptions;

/* Starts the worker and waits until it has its context. The caller owns *out. */
TEXLA_API clStatus clQueueCreate(clQueue **out, const clQueueOptions *options, clError *error);
/* Ends the worker: what waits is cancelled, what runs is finished, waiting calls return. Any thread
 * may call it, also several at once and again (then it waits for the end or does nothing), also a
 * function of clQueueCall (then it returns at once). */
TEXLA_API void clQueueStop(clQueue *queue);
/* For a process that is about to end, when a driver may have been taken down already: the operation
 * that runs is finished, the worker ends, and nothing is freed, so that no OpenGL call happens.
 * Calls return TEXLA_CANCELLED from then on. */
TEXLA_API void clQueueAbandon(clQueue *queue);
/* Stops, and frees all values. No other call may be under way. NULL is allowed. */
TEXLA_API void clQueueDestroy(clQueue *queue);

/* A matrix in the caller's memory: a_ij = values[i row_step + j col_step], floats or doubles. Both
 * steps 0: column after column. */
typedef enum clHostType { TEXLA_HOST_FLOAT, TEXLA_HOST_DOUBLE } clHostType;
typedef struct clHostMatrix {
  clHostType type;
  /* 0 is allowed */
  int64_t rows, cols;
  int64_t row_step, col_step;
  void *values;
} clHostMatrix;

/* *out <- a copy of A. Doubles are kept as such beside the device's floats: "solve" refines to
 * them. A finite double beyond single precision is refused where it is first used on the device. */
TEXLA_API clStatus clQueuePut(clQueue *queue, clQueueId *out, const clHostMatrix *A,
                              clError *error);
/* *out <- a copy of a compressed sparse matrix; operations that know nothing of sparse matrices see
 * it with its zeros. */
TEXLA_API clStatus clQueuePutTriplets(clQueue *queue, clQueueId *out, const clTriplets *A,
                                      clError *error);

/* A value, or where id is 0 a number. */
typedef struct clQueueOperand {
  clQueueId id;
  double number;
} clQueueOperand;

/* What can be submitted. Operands, a letter for each: m a matrix or number, v a matrix (an id), n a
 * number; in upper case: may be missing. */
typedef struct clQueueOperationInfo {
  const char *name, *operands, *help;
  int results;
} clQueueOperationInfo;
/* Entry `index` of the table; false beyond its end. */
TEXLA_API bool clQueueOperation(int index, clQueueOperationInfo *out);

/* of one operation, at most */
enum { TEXLA_QUEUE_OPERANDS = 8, TEXLA_QUEUE_RESULTS = 4 };

/* Submits an operation. result: room for `results` ids, at most as many as the operation has;
 * others are not kept. */
TEXLA_API clStatus clQueueSubmit(clQueue *queue, const char *operation,
                                 const clQueueOperand *operand, int operands, clQueueId *result,
                                 int results, clError *error);

/* A function of your own, called by the worker: result <- f(operands), linear vectors that hold
 * matrices column after column. It may use the context as it likes, but no object of it afterwards.
 * When it fails, the context's message is the cause. It must not wait for this queue. */
typedef clStatus (*clQueueFunction)(void *user, clContext *context, const clVector *const *operand,
                                    clVector *result);
/* Submits function(user), whose result is rows x cols. `name` stands in messages (copied, at most
 * 31 characters). */
TEXLA_API clStatus clQueueCall(clQueue *queue, const char *name, clQueueFunction function,
                               void *user, const clQueueId *operand, int operands, int64_t rows,
                               int64_t cols, clQueueId *result, clError *error);

/* Known as soon as the value is submitted. */
TEXLA_API clStatus clQueueShape(clQueue *queue, clQueueId id, int64_t *rows, int64_t *cols,
                                clError *error);
/* Starts to read the value back as soon as it is there, so that a later fetch does not wait. */
TEXLA_API clStatus clQueueRead(clQueue *queue, clQueueId id, clError *error);
/* Waits until the value is there (and is read back, after clQueueRead), at most `seconds`: negative
 * for ever, 0 not at all. TEXLA_NOT_READY when the time is over; the failure's status when it has
 * failed. */
TEXLA_API clStatus clQueueWait(clQueue *queue, clQueueId id, double seconds, clError *error);
/* The same, and copies it to `out`, whose shape must be the value's. */
TEXLA_API clStatus clQueueFetch(clQueue *queue, clQueueId id, const clHostMatrix *out,
                                double seconds, clError *error);

/* Is the value a sparse matrix? Known as soon as it is submitted: sums, multiples, products,
 * transposes and parts of sparse matrices are sparse, and so is f(x) entry by entry where
 * f(0) = 0. @since 0.3 */
TEXLA_API bool clQueueIsSparse(clQueue *queue, clQueueId id);
/* As clQueueFetch, of a sparse value: the caller owns *out, compressed. @since 0.3 */
TEXLA_API clStatus clQueueFetchTriplets(clQueue *queue, clQueueId id, clTriplets **out,
                                        double seconds, clError *error);
/* What an operation that succeeded has to tell: "solve: matrix singular to machine precision, rcond = 1e-17". text <- the oldest
 * note that was not taken yet, cut to `size` bytes, and true; false where there is none. The last 16 are
 * kept; those of an operation are there as soon as its results are. @since 0.3 */
TEXLA_API bool clQueueNote(clQueue *queue, char *text, size_t size);

/* One more holder of the id; every holder releases it once. A value without holders and without
 * waiting operations that need it is freed; an operation of which nobody wants a result any more is
 * not executed. */
TEXLA_API clStatus clQueueRetain(clQueue *queue, clQueueId id, clError *error);
TEXLA_API clStatus clQueueRelease(clQueue *queue, clQueueId id, clError *error);
/* The operation that makes the value fails with TEXLA_CANCELLED, and what depends on it, unless it
 * runs or has run already. */
TEXLA_API clStatus clQueueCancel(clQueue *queue, clQueueId id, clError *error);
/* Waits until nothing waits, nothing runs, and what was released is freed. */
TEXLA_API clStatus clQueueDrain(clQueue *queue, double seconds, clError *error);
/* hold: no further operation begins until hold is false again (reads go on). */
TEXLA_API void clQueueHold(clQueue *queue, bool hold);

typedef struct clQueueStats {
  /* operations: now, now, so far */
  int64_t queued, running, done, failed, skipped;
  /* alive */
  int64_t values;
  /* of values, promised ones too */
  size_t bytes, bytes_peak, bytes_limit;
  /* of the context's textures, pooled ones too */
  size_t device_bytes, device_peak;
} clQueueStats;
TEXLA_API void clQueueCount(clQueue *queue, clQueueStats *out);
/* Of the worker's context; valid as long as the queue. */
TEXLA_API const clContextInfo *clQueueInspect(const clQueue *queue);

#ifdef __cplusplus
}
#endif
#endif
