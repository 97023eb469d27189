/* clMatrix inside: shape, the layouts of its vectors, and one storage (storage.h). */
#ifndef TEXLA_MATRIX_MATRIX_H
#define TEXLA_MATRIX_MATRIX_H

#include "core/rows.h"
#include "gl/pass.h"
#include "vector/layout.h"
#include "texla/matrix.h"

/* The table of a storage's operations (storage.h). */
typedef struct txStorage txStorage;

struct clMatrix {
  clContext *context;
  int32_t rows, cols;
  int64_t count;
  clStorage storage;
  /* What the storage does with A; NULL until A has one. */
  const txStorage *operations;
  /* The layouts of y and x in y = A x. */
  txLayout row_layout, col_layout;
  char description[256];
  /* What the storage keeps of A: a txDense, a txBanded, ... */
  void *data;
  bool transposable;
  /* A copy of the entries, in storages that gather along rows, until the transposed matrix has been
   * built from it. */
  clTriplets *host;
  /* The transposed matrix, built at the first product with it; A itself when it is symmetric. */
  clMatrix *transpose;
  /* Bytes of the vectors that the storage banded keeps. */
  int64_t bytes;
  /* What rounding has left of the entries (clMatrixOptions.double_float); NULL where that is
   * nothing. */
  clMatrix *low;
};

/* Where calls on this matrix leave their message; NULL for NULL. */
static inline clError *txMatrixError(const clMatrix *A) {
  return A ? txContextError(A->context) : NULL;
}

/* From a matrix that has been looked at. Without `transposable` no copy of the entries is kept, and
 * no transposed product possible. */
clStatus txMatrixCreate(clMatrix **out, clContext *context, const txRows *rows,
                        const clMatrixOptions *options, bool transposable);

/* The same in one storage: entries that were checked, nothing chosen, nothing kept beyond single
 * precision. `options` name the storage, too. */
clStatus txMatrixCreateAs(clMatrix **out, clContext *context, const txRows *rows,
                          const clMatrixOptions *options, const txStorage *operations,
                          bool transposable);
/* The same between vectors of these layouts, whose lengths are the matrix's, where it will not be
 * transposed. */
clStatus txMatrixCreateBetween(clMatrix **out, clContext *context, const txRows *rows,
                               clStorage storage, const txStorage *operations, const txLayout *y,
                               const txLayout *x);
/* The options that give a matrix of A's shape (or of its transpose's) the same layouts. */
clMatrixOptions txMatrixLike(const clMatrix *A, clStorage storage);
/* A matrix between A's layouts: A's transpose, or a part of its entries. */
clStatus txMatrixCreateBeside(clMatrix **out, const clMatrix *A, const clTriplets *T,
                              clStorage storage, const txStorage *operations);

/* A's entries <- those of `rows`, with the pattern and the options that A was created from:
 * storages that hold positions keep these, what is left beyond single precision is found anew.
 * False in *done: the storage cannot, and A is as it was. After an error A's values are undefined.
 * A must not be transposable. */
clStatus txMatrixUpdate(clMatrix *A, const txRows *rows, const clMatrixOptions *options,
                        bool *done);

/* *A <- T: in the matrix that is there, which had these positions and options and is not
 * transposable, or in a new one. After an error what is in *A may only be given other values, or
 * destroyed. */
clStatus txMatrixSet(clMatrix **A, clContext *context, const clTriplets *T,
                     const clMatrixOptions *options);
/* The same of a matrix that has been looked at. */
clStatus txMatrixSetRows(clMatrix **A, clContext *context, const txRows *rows,
                         const clMatrixOptions *options);
/* The same in one storage, between vectors of these layouts. */
clStatus txMatrixSetBetween(clMatrix **A, clContext *context, const txRows *rows, clStorage storage,
                            const txLayout *y, const txLayout *x);

/* Which storage should be the fastest on this device, and why (one phrase). */
clStatus txStorageChoose(clStorage *storage, clContext *context, const char *call,
                         const txRows *rows, char *why, size_t n);

/* Sets the layouts that every storage starts from: linear, or the grid that was asked for. */
clStatus txMatrixLayouts(clMatrix *A, const char *call, const clMatrixOptions *options);

/* Appends to A's description. */
void txMatrixDescribe(clMatrix *A, const char *format, ...) TEXLA_PRINTF(2, 3);

#endif
