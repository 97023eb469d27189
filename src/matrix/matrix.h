/* clMatrix inside: shape, the layouts of its vectors, and one storage (storage.h). */
#ifndef TEXLA_MATRIX_MATRIX_H
#define TEXLA_MATRIX_MATRIX_H

#include "core/rows.h"
#include "gl/pass.h"
#include "vector/layout.h"
#include "texla/matrix.h"

/* storage.h */
typedef struct txStorage txStorage;

struct clMatrix {
  clContext *context;
  int32_t rows, cols;
  int64_t count;
  clStorage storage;
  /* what it does with A; NULL until A has a storage */
  const txStorage *operations;
  /* of y and x in y = A x */
  txLayout row_layout, col_layout;
  char description[256];
  /* the storage's own: txDense, txBanded, ... */
  void *data;
  bool transposable;
  /* storages that gather along rows: a copy, until the transposed matrix is built from it */
  clTriplets *host;
  /* ... at the first transposed product; A itself when it is symmetric */
  clMatrix *transpose;
  /* of the vectors that it stores (banded) */
  int64_t bytes;
  /* what rounding has left of the entries (clMatrixOptions.double_float); NULL: nothing */
  clMatrix *low;
  /* the entries in another storage, where this one has no residual in double-float (points) */
  clMatrix *twin;
};

/* From a matrix that has been looked at. Without `transposable` no copy of the entries is kept, and
 * no transposed product possible. */
clStatus txMatrixCreate(clMatrix **out, clContext *context, const txRows *rows,
                        const clMatrixOptions *options, bool transposable);

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

/* Which storage should be the fastest on this device, and why (one phrase). */
clStatus txStorageChoose(clStorage *storage, clContext *context, const char *call,
                         const txRows *rows, char *why, size_t n);

/* Sets the layouts that every storage starts from: linear, or the grid that was asked for. */
clStatus txMatrixLayouts(clMatrix *A, const char *call, const clMatrixOptions *options);

/* Appends to A's description. */
void txMatrixDescribe(clMatrix *A, const char *format, ...) TEXLA_PRINTF(2, 3);

#endif
