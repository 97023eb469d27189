/* The table of operations: each is described once, for the queue, for the toolbox, for Python and
 * for whoever lists them. */
#ifndef TEXLA_QUEUE_OPERATIONS_H
#define TEXLA_QUEUE_OPERATIONS_H

#include "queue/value.h"
#include "texla/kernel.h"

/* Rows and columns of a value. */
typedef struct txShape {
  int64_t rows, cols;
} txShape;

/* Has it no entries? */
static inline bool txShapeEmpty(txShape s) {
  return !s.rows || !s.cols;
}

/* An operand as an operation sees it: a matrix, or a number, whose shape is 1 x 1 and whose value
 * is NULL. When shapes are worked out there are no values yet, but whether one will be sparse is
 * known. */
typedef struct txOperand {
  txShape shape;
  bool is_number;
  bool sparse;
  double number;
  txValue *value;
} txOperand;

typedef struct txOperation txOperation;

/* Compiled kernels by their text: of one context, only for its thread (kernels.c). */
enum { TX_KERNELS = 64 };
typedef struct txKernels {
  struct {
    clKernel *kernel;
    char *source;
    int64_t used;
  } entry[TX_KERNELS];
  int64_t clock;
} txKernels;
void txKernelsClear(txKernels *kernels);

/* One run of an operation, or of a caller's function where `operation` is NULL.
 *
 * `sparse`: the first result stays sparse (sparse.h). `kernels` are the worker's. `note` has room
 * for TX_NOTE characters: what the caller should know although the operation succeeds; it is NULL
 * where nobody listens. */
enum { TX_NOTE = 160 };

typedef struct txCall {
  const char *name;
  const txOperation *operation;
  clQueueFunction function;
  void *user;
  int operands, results;
  txOperand operand[TEXLA_QUEUE_OPERANDS];
  txShape shape[TEXLA_QUEUE_RESULTS];
  bool sparse;
  txValue *result[TEXLA_QUEUE_RESULTS];
  clContext *context;
  /* nobody else needs operand 0, whose memory may become the result's */
  bool take;
  txKernels *kernels;
  char *note;
  clError *error;
} txCall;

/* An operation: `shape` sets call->shape or refuses, `run` fills call->result and is not called
 * when all results are empty. `text` is what the run makes a kernel from, in GLSL. */
struct txOperation {
  const char *name, *operands;
  int results;
  clStatus (*shape)(txCall *call);
  clStatus (*run)(txCall *call);
  const char *text;
  const char *help;
  /* the run asks for txCall.take */
  bool takes;
};

/* The operation with that name, or NULL. */
const txOperation *txOperationFind(const char *name);
/* Checks number and kind of the operands and works out the results' shapes. */
clStatus txOperationCheck(txCall *call);
clStatus txOperationRun(txCall *call);

/* Kernels from a line of GLSL (kernels.c). Map: a formula in x, y, z, entries of the operands,
 * which are repeated along sides of length 1. Gather: a function body for the entry (i, j). Fold:
 * "first | formula in a, b" along dimension operand 1. Position: "- | is b better than a?"; the
 * first entry than which none is better, counted from 1. */
clStatus txRunMap(txCall *call);
clStatus txRunGather(txCall *call);
/* A move (moves.c); a sparse operand stays sparse. */
clStatus txRunTranspose(txCall *call);
clStatus txRunFold(txCall *call);
clStatus txRunPosition(txCall *call);
/* Dot product of two, or norm of one operand, all entries (kernels.c). */
clStatus txRunDot(txCall *call);
clStatus txRunNorm(txCall *call);

/* Passes over a whole dimension (order.c). Scan: a formula in a, b; Sort: values and where they
 * stood. */
clStatus txRunScan(txCall *call);
clStatus txRunSort(txCall *call);

/* Products, and what a sparse matrix is stored as (products.c). */
clStatus txRunMultiply(txCall *call);
clStatus txRunSyrk(txCall *call);
clStatus txRunSparse(txCall *call);
clStatus txRunRescale(txCall *call);

/* Factorizations and eliminations (factors.c). */
clStatus txRunLu(txCall *call);
clStatus txRunFactor(txCall *call);
clStatus txRunCrout(txCall *call);
clStatus txRunCholesky(txCall *call);
clStatus txRunQr(txCall *call);
clStatus txRunRref(txCall *call);
clStatus txRunInverse(txCall *call);
clStatus txRunDeterminant(txCall *call);

/* Systems (systems.c). */
clStatus txRunSolve(txCall *call);
clStatus txRunIterate(txCall *call);
clStatus txRunLeastSquares(txCall *call);
clStatus txRunTridiagonal(txCall *call);

/* What these ask of a call is in call.c. Memory of the host, filled with zeros; NULL where there is
 * none, which the call has reported. */
void *txCallAllocate(const txCall *call, size_t count, size_t size, const char *what);
clStatus txCallFail(const txCall *call, clStatus status, const char *format, ...)
    TEXLA_PRINTF(3, 4);
clStatus txCallStatus(const txCall *call, clStatus status);
/* Notes, as Octave would, that a matrix is singular as far as its precision can tell. */
void txCallNoteSingular(const txCall *call, double rcond);
/* Result k as a zero vector or matrix, and operand k in the form asked for; a number becomes a 1 x
 * 1 matrix that the call owns. */
clStatus txResultVector(txCall *call, int k, clVector **out);
clStatus txResultDense(txCall *call, int k, clDense **out);
clStatus txResultHost(txCall *call, int k, double **out);
clStatus txOperandVector(txCall *call, int k, clVector **out);
clStatus txOperandDense(txCall *call, int k, clDense **out);
clStatus txOperandHost(txCall *call, int k, double **out);
/* Operand k as compressed triplets: a sparse one as it is, a dense one with or without its zeros,
 * which the caller destroys: *made is NULL or *out. */
clStatus txOperandTriplets(txCall *call, int k, bool zeros, clTriplets **out, clTriplets **made);
/* Is operand k sparse? Was it put, or computed, in double precision? The number k, or another one
 * where it was not given. */
bool txOperandIsSparse(const txCall *call, int k);
bool txOperandIsDouble(const txCall *call, int k);
double txOperandNumber(const txCall *call, int k, double otherwise);

#endif
