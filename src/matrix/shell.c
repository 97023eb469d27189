/* A matrix that nobody stores: an operator of the caller's. */
#include "core/allocate.h"
#include "core/try.h"
#include "matrix/storage.h"
#include "vector/vector.h"

#include <stdlib.h>

typedef struct shell {
  clShellOptions options;
  /* Room for the products with A and with its transpose, where something is to be added to them;
   * made at first use. */
  clVector *product[2];
} shell;

static void shellDestroy(clMatrix *A) {
  shell *s = A->data;
  if (!s)
    return;
  clVectorDestroy(s->product[0]);
  clVectorDestroy(s->product[1]);
  free(s);
}

static clStatus unsupported(const clMatrix *A, const char *call, const char *what) {
  return txFail(txContextError(A->context), TEXLA_UNSUPPORTED, call,
                "A is an operator of one's own, which was made without %s (clShellOptions)", what);
}

static clStatus shellRun(const char *call, const clMatrix *A, const clShell *op, clVector *y,
                         const clVector *x) {
  txCallbackBegin(A->context);
  return txCallbackEnd(A->context, op->apply(op->user, y, x), call, "the operator");
}

/* The caller's operator knows y <- A x alone; factors and b are applied to its result. */
static clStatus shellMultiply(const char *call, clVector *y, float ca, const clMatrix *A,
                              bool transposed, const clVector *x, float cb, const clVector *b) {
  shell *s = A->data;
  const clShell *op = transposed ? &s->options.transposed : &s->options.product;
  clVector **product = &s->product[transposed];
  if (!op->apply)
    return unsupported(A, call, "a transposed product");
  if (ca == 1 && !b)
    return shellRun(call, A, op, y, x);
  if (!*product)
    TRY(clVectorCreateLike(product, y));
  TRY(shellRun(call, A, op, *product, x));
  if (b)
    return clVectorAdd(y, ca, NULL, *product, cb, NULL, b);
  return clVectorScale(y, ca, NULL, *product);
}

static clStatus shellDiagonal(const char *call, clVector *d, const clMatrix *A) {
  const shell *s = A->data;
  const clShell *op = &s->options.diagonal;
  if (!op->apply)
    return unsupported(A, call, "a diagonal");
  return shellRun(call, A, op, d, NULL);
}

static const txStorage operations = {
    .destroy = shellDestroy, .multiply = shellMultiply, .diagonal = shellDiagonal};

/* Layouts as for any matrix: linear, or the grid that was asked for. */
static clStatus shellFill(clMatrix *A, const char *call, const clShellOptions *o) {
  TRY(txMatrixLayouts(A, call, &(clMatrixOptions){.grid_nx = o->grid_nx, .grid_ny = o->grid_ny}));
  shell *s = txAllocate(txContextError(A->context), call, 1, sizeof *s, "an operator");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  s->options = *o;
  A->data = s;
  txMatrixDescribe(A, "shell: an operator of one's own, %d x %d", A->rows, A->cols);
  return TEXLA_OK;
}

/* Nothing is stored but the caller's functions. */
clStatus clMatrixCreateShell(clMatrix **out, clContext *context, int32_t rows, int32_t cols,
                             const clShellOptions *options) {
  static const char call[] = "clMatrixCreateShell";
  if (!out || !context || !options || !options->product.apply || rows < 1 || cols < 1)
    return txFail(
        txContextError(context), TEXLA_BAD_ARGUMENT, call,
        "out, context and the product must not be NULL, rows (%d) and cols (%d) at least 1", rows,
        cols);
  clMatrix *A = txAllocate(txContextError(context), call, 1, sizeof *A, "a clMatrix");
  if (!A)
    return TEXLA_OUT_OF_MEMORY;
  *A = (clMatrix){.context = context,
                  .rows = rows,
                  .cols = cols,
                  .storage = TEXLA_STORAGE_SHELL,
                  .operations = &operations};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(shellFill(A, call, options));
  *out = A;
  return TEXLA_OK;
cleanup:
  clMatrixDestroy(A);
  return status;
}
