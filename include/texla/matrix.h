/* clMatrix: a matrix in one of several texture storages, and matrixVectorOp (K6) over all of them.
 *
 *   dense   (K3)  a set of column vectors, four rows to a texel
 *   banded  (K4)  a set of full-length diagonal vectors; diagonal k shares its vector with the opposing diagonal k - n
 *                 (index modulo n); constant diagonals are recognised and kept as uniforms
 *   points  (K5)  only the non-zeros, in vertex arrays: four (column, value) pairs a point, accumulated where its row lives
 *   csr           compressed rows in textures, a loop in the shader
 *   slots         rows padded to the same number of (value, column) slots
 *
 * A square matrix whose diagonals form a grid stencil keeps its vectors in the grid layout: create the vectors for a
 * product with clMatrixCreateVector, which knows. Values are rounded to single precision; those beyond it are refused. */
#ifndef TEXLA_MATRIX_H
#define TEXLA_MATRIX_H

#include "texla/triplets.h"
#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clMatrix clMatrix;

typedef enum clStorage {
  TEXLA_STORAGE_AUTO,
  TEXLA_STORAGE_DENSE,
  TEXLA_STORAGE_BANDED,
  TEXLA_STORAGE_POINTS,
  TEXLA_STORAGE_CSR,
  TEXLA_STORAGE_SLOTS
} clStorage;

/* Zero means default. */
typedef struct clMatrixOptions {
  clStorage storage;    /* auto: the storage that should be fastest; clMatrixDescription says which and why */
  int grid_nx, grid_ny; /* the vectors' grid (rows = cols = nx * ny); 0: recognised for banded, linear for the others */
  bool linear;          /* never use the grid layout */
  bool general_diagonals; /* banded: never keep constant diagonals as uniforms */
} clMatrixOptions;

/* From triplets (compressed). `options` may be NULL. The caller owns *out and A is not kept. */
TEXLA_API clStatus clMatrixCreate(clMatrix **out, clContext *context, const clTriplets *A,
                                  const clMatrixOptions *options);
/* Dense, from column-major values: a_ij = values[i + j * lead], lead >= rows. */
TEXLA_API clStatus clMatrixCreateDense(clMatrix **out, clContext *context, int32_t rows, int32_t cols,
                                       const float *values, int64_t lead);
TEXLA_API void clMatrixDestroy(clMatrix *A); /* NULL is allowed */

TEXLA_API int32_t clMatrixRows(const clMatrix *A);
TEXLA_API int32_t clMatrixCols(const clMatrix *A);
TEXLA_API int64_t clMatrixCount(const clMatrix *A); /* entries kept, explicit zeros included */
TEXLA_API clStorage clMatrixStorage(const clMatrix *A);
TEXLA_API const char *clMatrixDescription(const clMatrix *A); /* storage, shape and why, in one line */
TEXLA_API clContext *clMatrixContext(const clMatrix *A);

TEXLA_API const char *clStorageName(clStorage storage); /* "auto", "dense", ... */

/* A zero vector that fits A: of length cols (transposed = false, an x of A x; or y of A^T x) or rows (the others). */
typedef enum clSide { TEXLA_SIDE_COLS, TEXLA_SIDE_ROWS } clSide;
TEXLA_API clStatus clMatrixCreateVector(clVector **out, const clMatrix *A, clSide side);

/* matrixVectorOp (K6), with op(A) = A or A^T. b is ignored (may be NULL) for TEXLA_AX and may alias y; x must not alias
 * y. */
typedef enum clMatrixOp {
  TEXLA_AX,         /* y <- op(A) x */
  TEXLA_AX_PLUS_B,  /* y <- op(A) x + b */
  TEXLA_AX_MINUS_B, /* y <- op(A) x - b */
  TEXLA_B_MINUS_AX  /* y <- b - op(A) x, the residual */
} clMatrixOp;
TEXLA_API clStatus clMatrixVectorOp(clVector *y, clMatrixOp op, const clMatrix *A, bool transposed, const clVector *x,
                                    const clVector *b);
/* y <- A x */
TEXLA_API clStatus clMatrixMulVector(clVector *y, const clMatrix *A, const clVector *x);

/* d_i <- a_ii, on the device (d: side TEXLA_SIDE_ROWS of a square matrix). */
TEXLA_API clStatus clMatrixDiagonal(clVector *d, const clMatrix *A);

#ifdef __cplusplus
}
#endif
#endif
