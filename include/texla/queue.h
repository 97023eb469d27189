/**
 * @file
 * clQueue (B6): a background thread that owns a context, so that a device works while its callers
 * go on.
 *
 * Operations are submitted by name and return at once with an id for each result; ids are operands
 * before their values exist. The worker executes operations in the order of their submission.
 * Values are real matrices; vectors are matrices of one column. What clQueueOperation lists is all
 * there is by name, and clQueueCall adds functions of your own.
 *
 *     // copies the matrix
 *     clQueuePut(queue, &A, &matrix, &error);
 *     // returns at once
 *     clQueueSubmit(queue, "multiply", (clQueueOperand[]){{A}, {A}}, 2, &C, 1, &error);
 *     // lets it be read back when it is there
 *     clQueueRead(queue, C, &error);
 *     ... work of your own ...
 *     // waits, copies
 *     clQueueFetch(queue, C, &result, -1, &error);
 *
 * Threads: every call may come from any thread, but clQueueDestroy must be the last one. Sizes that
 * do not fit are refused when an operation is submitted; an operation that fails later fails what
 * depends on it, with the first cause, and nothing else: fetching such a value returns that status
 * and message. Every call takes a clError of the caller's, which may be NULL. After clQueueStop,
 * and for operations that were cancelled, the status is TEXLA_CANCELLED.
 *
 * fork: in a child every call on a queue of the parent returns TEXLA_CONTEXT_LOST or does nothing
 * (since 0.3).
 *
 * Source: the thesis' chapter 4.2 (B6).
 *
 * Errors: besides what a call names, TEXLA_BAD_ARGUMENT (NULL, an id or a name that is unknown) and
 * TEXLA_OUT_OF_MEMORY.
 *
 * Ownership: who creates a queue destroys it. Results belong to the queue until their last holder
 * releases them (clQueueRelease); what is put is copied, what is fetched the caller's.
 *
 * @since 0.2 */
#ifndef TEXLA_QUEUE_H
#define TEXLA_QUEUE_H

#include "texla/dense.h"
#include "texla/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A background thread with a context of its own. */
typedef struct clQueue clQueue;

/** Names one value of one queue: below 2^53, so that it is exact as a double, and never used again
 * within 2^33 submissions. 0 names nothing. */
typedef int64_t clQueueId;

/** How a queue works. Zero means default. */
typedef struct clQueueOptions {
  /** What context the worker makes; NULL: the default one. Its texts are copied. `adopt` is
   * refused: the context is the worker's own. */
  const clContextOptions *context;
  /** Bytes that all values together may hold, on the device and on the host; 0: the memory limit
   * of the context. */
  size_t memory_limit;
  /** Operations that may wait; 0: 1024. */
  int pending_limit;
  /** Seconds for which a submission waits for room before it returns TEXLA_NOT_READY; 0: for
   * ever. */
  double patience;
} clQueueOptions;

/** Starts the worker, and waits until it has its context.
 * @param out  the caller owns it
 * @param options  NULL: all defaults
 * @param error  says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_OUT_OF_MEMORY, or why there is no context, as
 *         clContextCreate */
TEXLA_API clStatus clQueueCreate(clQueue **out, const clQueueOptions *options, clError *error);
/** Ends the worker: what waits is cancelled, what runs is finished, waiting calls return.
 * @param queue  any thread may call it, also several at once, and again: then it waits for the end,
 *               or does nothing. A function of clQueueCall may call it, too: then it returns at
 *               once. NULL is allowed */
TEXLA_API void clQueueStop(clQueue *queue);
/** Ends the worker of a process that is about to end, when a driver may have been taken down
 * already: the operation that runs is finished, and nothing is freed, so that no OpenGL call
 * happens. Calls return TEXLA_CANCELLED from then on.
 * @param queue  NULL is allowed */
TEXLA_API void clQueueAbandon(clQueue *queue);
/** Stops the worker, and frees all values.
 * @param queue  no other call on it may be under way. NULL is allowed */
TEXLA_API void clQueueDestroy(clQueue *queue);

/** Of what type a host matrix's entries are. */
typedef enum clHostType { TEXLA_HOST_FLOAT, TEXLA_HOST_DOUBLE } clHostType;

/** A matrix in the caller's memory: a_ij = values[i row_step + j col_step]. */
typedef struct clHostMatrix {
  /** floats or doubles */
  clHostType type;
  /** 0 is allowed */
  int64_t rows, cols;
  /** in entries, not bytes; both 0: column after column */
  int64_t row_step, col_step;
  /** the caller's */
  void *values;
} clHostMatrix;

/** *out <- a copy of A.
 * @param queue  the queue
 * @param out  the value's id, of which the caller is a holder (clQueueRelease)
 * @param A  may be reused as soon as the call returns. Doubles are kept as such beside the device's
 *           floats: "solve" refines to them. A finite double beyond single precision is refused
 *           where it is first used on the device
 * @param error  says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY (the queue's limit,
 *         too), TEXLA_NOT_READY (no room within the queue's patience), TEXLA_CANCELLED */
TEXLA_API clStatus clQueuePut(clQueue *queue, clQueueId *out, const clHostMatrix *A,
                              clError *error);
/** *out <- a copy of a sparse matrix; operations that know nothing of sparse matrices see it with
 * its zeros.
 * @param queue  the queue
 * @param out  the value's id, of which the caller is a holder
 * @param A  compressed (clTripletsCompress)
 * @param error  says why it failed; NULL is allowed
 * @return as clQueuePut */
TEXLA_API clStatus clQueuePutTriplets(clQueue *queue, clQueueId *out, const clTriplets *A,
                                      clError *error);

/** What an operation is applied to: a value, or where id is 0 a number. */
typedef struct clQueueOperand {
  /** the value */
  clQueueId id;
  /** the number; ignored where id is not 0 */
  double number;
} clQueueOperand;

/** An operation that can be submitted. */
typedef struct clQueueOperationInfo {
  /** by which it is submitted */
  const char *name;
  /** A letter for each operand: m a matrix or number, v a matrix (an id), n a number; in upper
   * case: may be missing. */
  const char *operands;
  /** what it computes, in one line */
  const char *help;
  /** how many results it has */
  int results;
} clQueueOperationInfo;
/** Entry `index` of the table of operations.
 * @param index  from 0
 * @param out  <- the entry; its texts are constant
 * @return false beyond the table's end: `out` stays as it was */
TEXLA_API bool clQueueOperation(int index, clQueueOperationInfo *out);

/** Operands and results of one operation, at most. */
enum { TEXLA_QUEUE_OPERANDS = 8, TEXLA_QUEUE_RESULTS = 4 };

/** results <- operation(operands). Returns as soon as it is in the queue.
 * @param queue  the queue
 * @param operation  a name of the table
 * @param operand  `operands` of them; ids of values that do not exist yet are fine
 * @param operands  how many
 * @param result  <- an id for each result; the caller is a holder of each
 * @param results  room for so many ids, at most as many as the operation has: others are not kept
 * @param error  says why it was refused; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (an unknown name or id, the wrong number or kind of
 *         operands), TEXLA_BAD_SHAPE, TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY, TEXLA_NOT_READY,
 *         TEXLA_CANCELLED. What fails later fails the results */
TEXLA_API clStatus clQueueSubmit(clQueue *queue, const char *operation,
                                 const clQueueOperand *operand, int operands, clQueueId *result,
                                 int results, clError *error);

/** *result <- formula(x, y, z), entry by entry, in one pass.
 * @param queue  the queue
 * @param formula  an expression of GLSL in x, y and z, the operands' entries, with the functions of
 *         shaders/include/real.glsl; copied, at most 4000 characters
 * @param operand  values and numbers, which are repeated along sides of length 1
 * @param operands  1 to 3
 * @param result  <- the value's id, of which the caller is a holder
 * @param error  says why it was refused; NULL is allowed
 * @return as clQueueSubmit; a mistake in the formula is reported where the value is asked for
 * @since 0.3 */
TEXLA_API clStatus clQueueFormula(clQueue *queue, const char *formula,
                                  const clQueueOperand *operand, int operands, clQueueId *result,
                                  clError *error);

/** A function of your own, called by the worker: result <- f(operands).
 * @param user  what clQueueCall was given
 * @param context  the worker's; no object of it may be used after the function has returned
 * @param operand  linear vectors that hold matrices column after column
 * @param result  another such vector
 * @return where it is an error, the context's message is the cause. The function must not wait for
 *         this queue */
typedef clStatus (*clQueueFunction)(void *user, clContext *context, const clVector *const *operand,
                                    clVector *result);
/** *result <- function(user, operands). Returns as soon as it is in the queue.
 * @param queue  the queue
 * @param name  stands in messages; copied, at most 31 characters
 * @param function  is called once, or not at all where an operand has failed
 * @param user  is handed on to it
 * @param operand  `operands` ids of values
 * @param operands  how many, at most TEXLA_QUEUE_OPERANDS
 * @param rows  of the result
 * @param cols  of the result
 * @param result  <- the value's id, of which the caller is a holder
 * @param error  says why it was refused; NULL is allowed
 * @return as clQueueSubmit */
TEXLA_API clStatus clQueueCall(clQueue *queue, const char *name, clQueueFunction function,
                               void *user, const clQueueId *operand, int operands, int64_t rows,
                               int64_t cols, clQueueId *result, clError *error);

/** The shape of a value, which is known as soon as the value is submitted. Does not wait.
 * @param queue  the queue
 * @param id  the value
 * @param rows  <- its rows
 * @param cols  <- its columns
 * @param error  says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (an unknown id) */
TEXLA_API clStatus clQueueShape(clQueue *queue, clQueueId id, int64_t *rows, int64_t *cols,
                                clError *error);
/** Lets the value be read back as soon as it is there, so that a later fetch does not wait.
 * @param queue  the queue
 * @param id  the value
 * @param error  says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (an unknown id), TEXLA_CANCELLED */
TEXLA_API clStatus clQueueRead(clQueue *queue, clQueueId id, clError *error);
/** Waits until the value is there, and is read back after clQueueRead.
 * @param queue  the queue
 * @param id  the value
 * @param seconds  at most so long: negative for ever, 0 not at all
 * @param error  <- the cause where the value has failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_NOT_READY when the time is over, the failure's status when the value has
 *         failed, TEXLA_BAD_ARGUMENT (an unknown id) */
TEXLA_API clStatus clQueueWait(clQueue *queue, clQueueId id, double seconds, clError *error);
/** Waits as clQueueWait does, and copies the value: out <- value.
 * @param queue  the queue
 * @param id  the value
 * @param out  has the value's shape; floats or doubles
 * @param seconds  as clQueueWait
 * @param error  <- the cause where the value has failed; NULL is allowed
 * @return as clQueueWait, and TEXLA_BAD_SHAPE */
TEXLA_API clStatus clQueueFetch(clQueue *queue, clQueueId id, const clHostMatrix *out,
                                double seconds, clError *error);

/** Is the value a sparse matrix? Known as soon as it is submitted: sums, multiples, products,
 * transposes and parts of sparse matrices are sparse, and so is f(x) entry by entry where f(0) = 0.
 * @param queue  the queue
 * @param id  the value
 * @return false also for an unknown id
 * @since 0.3 */
TEXLA_API bool clQueueIsSparse(clQueue *queue, clQueueId id);
/** Waits as clQueueWait does, and copies a sparse value.
 * @param queue  the queue
 * @param id  the value
 * @param out  <- the matrix, compressed; the caller owns it
 * @param seconds  as clQueueWait
 * @param error  <- the cause where the value has failed; NULL is allowed
 * @return as clQueueWait, TEXLA_OUT_OF_MEMORY, and TEXLA_BAD_ARGUMENT where the value is not sparse
 * @since 0.3 */
TEXLA_API clStatus clQueueFetchTriplets(clQueue *queue, clQueueId id, clTriplets **out,
                                        double seconds, clError *error);
/**
 * What an operation that succeeded has to tell: "solve: matrix singular to machine precision,
 * rcond = 1e-17". The last 16 notes are kept; those of an operation are there as soon as its
 * results are.
 * @param queue  the queue
 * @param text  <- the oldest note that was not taken yet, cut to `size` bytes
 * @param size  room in `text`
 * @return false where there is none: `text` stays as it was
 * @since 0.3 */
TEXLA_API bool clQueueNote(clQueue *queue, char *text, size_t size);

/** One more holder of the value. A value without holders and without waiting operations that need
 * it is freed, and an operation of which nobody wants a result any more is not executed.
 * @param queue  the queue
 * @param id  the value
 * @param error  says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (an unknown id) */
TEXLA_API clStatus clQueueRetain(clQueue *queue, clQueueId id, clError *error);
/** One holder less; every holder releases the value once.
 * @param queue  the queue
 * @param id  the value
 * @param error  says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (an unknown id) */
TEXLA_API clStatus clQueueRelease(clQueue *queue, clQueueId id, clError *error);
/** Lets the operation that makes the value fail with TEXLA_CANCELLED, and what depends on it,
 * unless it runs or has run already.
 * @param queue  the queue
 * @param id  the value
 * @param error  says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (an unknown id) */
TEXLA_API clStatus clQueueCancel(clQueue *queue, clQueueId id, clError *error);
/** Waits until nothing waits, nothing runs, and what was released is freed.
 * @param queue  the queue
 * @param seconds  at most so long: negative for ever, 0 not at all
 * @param error  says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_NOT_READY when the time is over, TEXLA_CANCELLED */
TEXLA_API clStatus clQueueDrain(clQueue *queue, double seconds, clError *error);
/** Holds operations back: none begins until this is called with false. Reads go on.
 * @param queue  the queue
 * @param hold  true: from now on; false: no longer */
TEXLA_API void clQueueHold(clQueue *queue, bool hold);

/** What a queue has done, and holds. */
typedef struct clQueueStats {
  /** operations that wait and that run now; those that ended so far, in three ways */
  int64_t queued, running, done, failed, skipped;
  /** values that exist now, or are promised */
  int64_t values;
  /** bytes of values now, promised ones too; the most there were; how many there may be */
  size_t bytes, bytes_peak, bytes_limit;
  /** bytes of the context's textures now, pooled ones too; the most there were */
  size_t device_bytes, device_peak;
} clQueueStats;
/** *out <- what the queue has done, and holds.
 * @param queue  the queue
 * @param out  <- the numbers, of one moment
 * @since 0.2 (clQueueCount before 0.3) */
TEXLA_API void clQueueStatistics(clQueue *queue, clQueueStats *out);
/** What the worker's context is.
 * @param queue  the queue
 * @return valid as long as the queue */
TEXLA_API const clContextInfo *clQueueInspect(const clQueue *queue);

#ifdef __cplusplus
}
#endif
#endif
