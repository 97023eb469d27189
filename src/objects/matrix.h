/* clMatrix inside: shape, the layouts of its vectors, and one storage. A storage is a pair of small tables: how it lives
 * (txStorageLife, src/objects/matrix_<storage>.c) and what it computes (txStorageOps, src/ops/matvec_<storage>.c). */
#ifndef TEXLA_OBJECTS_MATRIX_H
#define TEXLA_OBJECTS_MATRIX_H

#include "core/rows.h"
#include "gl/pass.h"
#include "objects/layout.h"
#include "texla/matrix.h"

struct clMatrix {
  clContext *context;
  int32_t rows, cols;
  int64_t count;
  clStorage storage;
  txLayout row_layout, col_layout; /* of y and x in y = A x */
  char description[256];
  void *data; /* the storage's own: txDense, txBanded, ... */
  bool transposable;
  clTriplets *host;    /* storages that gather along rows: a copy, until the transposed matrix is built from it */
  clMatrix *transpose; /* ... at the first transposed product; A itself when it is symmetric */
  int64_t bytes;       /* of the vectors that it stores (banded) */
};

typedef struct txStorageLife {
  /* Fills A->data from compressed triplets whose values were checked; A's other fields are set. Chooses the layouts where the
   * storage has a say, and appends to the description. On failure leaves nothing behind. */
  clStatus (*create)(clMatrix *A, const char *call, const txRows *rows, const clMatrixOptions *options);
  void (*destroy)(clMatrix *A); /* A->data may be NULL or half filled */
} txStorageLife;

extern const txStorageLife txDenseLife, txBandedLife, txPointsLife, txCsrLife, txSlotsLife;

/* From a matrix that has been looked at. Without `transposable` no copy of the entries is kept, and no transposed product possible. */
clStatus txMatrixCreate(clMatrix **out, clContext *context, const txRows *rows, const clMatrixOptions *options,
                        bool transposable);

/* Which storage should be the fastest on this device, and why (one phrase). */
clStorage txStorageChoose(const clContext *context, const txRows *rows, char *why, size_t n);

/* Sets the layouts that every storage starts from: linear, or the grid that was asked for. */
clStatus txMatrixLayouts(clMatrix *A, const char *call, const clMatrixOptions *options);

/* Appends to A's description. */
void txMatrixDescribe(clMatrix *A, const char *format, ...) TEXLA_PRINTF(2, 3);

#endif
