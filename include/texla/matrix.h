/**
 * @file
 * clMatrix: a matrix in one of several texture storages, and matrixVectorOp (K6) over all of them.
 *
 * - dense (K3): a set of column vectors, four rows to a texel
 * - banded (K4; the field's DIA): a set of full-length diagonal vectors; diagonal k shares its
 *   vector with the opposing diagonal k - n (index modulo n); constant diagonals are recognised and
 *   kept as uniforms
 * - points (K5; the field's COO): only the non-zeros, in vertex arrays that are drawn as OpenGL
 *   points, four (column, value) pairs a point, accumulated by blending where their row lives
 * - csr: compressed rows (CSR) in textures, a loop in the shader
 * - slots: sliced ELL (SELL): blocks of rows, whose rows are padded to one number of (value,
 *   column) slots, another one in each block
 *
 * A square matrix whose diagonals form a grid stencil keeps its vectors in the grid layout: create
 * the vectors for a product with clMatrixCreateVector, which knows. Values are rounded to single
 * precision; those beyond it are refused.
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, a value that is not in its list, an object whose context was
 * destroyed), TEXLA_BAD_SHAPE (a vector of another length or layout; the message says how to make
 * the right one), TEXLA_FOREIGN_CONTEXT, TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY, TEXLA_DEVICE_ERROR;
 * comments name others. A failed call leaves its outputs as they were.
 *
 * Threads: a matrix belongs to its context's thread. Nothing here waits for the device, but the
 * first use of something that is measured (clContextTuning).
 *
 * Ownership: who creates a matrix destroys it. Triplets and arrays that it is made of are not kept.
 *
 * Aliasing: y and x of a product are two vectors; b may be y.
 *
 * @since 0.1, but where a comment says otherwise */
#ifndef TEXLA_MATRIX_H
#define TEXLA_MATRIX_H

#include "texla/triplets.h"
#include "texla/double.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A matrix on the device. */
typedef struct clMatrix clMatrix;

/**
 * Something that acts on vectors as a matrix does: an operator of one's own, or a preconditioner.
 * @param user  clShell::user
 * @param y     <- op(x), by texla's calls on vectors or a clKernel of one's own; all of it is
 *         overwritten
 * @param x     never y; NULL where there is nothing to be applied to (clShellOptions::diagonal)
 * @return TEXLA_OK, or an error, which the call that asked for it returns
 * @since 0.2 */
typedef clStatus (*clOperator)(void *user, clVector *y, const clVector *x);
/** An operator and what it works with. @since 0.2 */
typedef struct clShell {
  /** NULL: none */
  clOperator apply;
  /** is handed on to `apply` */
  void *user;
} clShell;

/** The one list of storages: constant, name, what it is. */
#define TEXLA_STORAGE_LIST(X)                                                                      \
  X(TEXLA_STORAGE_AUTO, "auto", "the one that should be fastest")                                  \
  X(TEXLA_STORAGE_DENSE, "dense", "all entries, column by column")                                 \
  X(TEXLA_STORAGE_BANDED, "banded", "diagonals; constant ones are kept as numbers")                \
  X(TEXLA_STORAGE_POINTS, "points", "non-zeros as vertices that are drawn, four to a point")       \
  X(TEXLA_STORAGE_CSR, "csr", "compressed rows, a loop in the shader")                             \
  X(TEXLA_STORAGE_SLOTS, "slots", "sliced ELL: blocks of rows padded to one length")
/** How a matrix is stored. */
typedef enum clStorage {
#define TEXLA_STORAGE_ENUM(name, text, summary) name,
  /** The one list of storages: constant, name, what it is. */
  TEXLA_STORAGE_LIST(TEXLA_STORAGE_ENUM)
#undef TEXLA_STORAGE_ENUM
  /** no storage at all: an operator of one's own (clMatrixCreateShell). @since 0.2 */
  TEXLA_STORAGE_SHELL
} clStorage;

/** How a matrix is made. Zero means default. */
typedef struct clMatrixOptions {
  /** auto: the storage that should be fastest; clMatrixDescription says which and why */
  clStorage storage;
  /** the vectors' grid (rows = cols = nx * ny); 0: recognised for banded, linear for the others */
  int grid_nx, grid_ny;
  /** never use the grid layout */
  bool linear;
  /** banded: never keep constant diagonals as uniforms */
  bool general_diagonals;
  /**
   * keep what rounding to single precision leaves of the entries, too, for clMatrixResidualDouble
   * (since 0.2) */
  bool double_float;
} clMatrixOptions;

/** A matrix on the device. Values are rounded to single precision.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives
 * @param A  compressed (clTripletsCompress); not kept
 * @param options  NULL: defaults
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (not in order, an unknown storage), TEXLA_BAD_SHAPE (a grid
 *         of another size), TEXLA_NOT_FINITE (a value beyond single precision), TEXLA_TOO_LARGE or
 *         TEXLA_OUT_OF_MEMORY (the message says what the storage needs) */
TEXLA_API clStatus clMatrixCreate(clMatrix **out, clContext *context, const clTriplets *A,
                                  const clMatrixOptions *options);
/**
 * A matrix in the storage dense, from an array: a_ij = values[i * lead + j], row by row as clDense
 * has it.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives
 * @param rows  at least 1
 * @param cols  at least 1
 * @param values  not kept
 * @param lead  numbers from one row to the next, at least cols; what lies between rows is not read
 * @return as clMatrixCreate; TEXLA_NOT_FINITE for Inf and NaN */
TEXLA_API clStatus clMatrixCreateDense(clMatrix **out, clContext *context, int32_t rows,
                                       int32_t cols, const float *values, int64_t lead);

/** What a matrix is that nobody stores. @since 0.2 */
typedef struct clShellOptions {
  /** y <- A x; must be linear */
  clShell product;
  /** y <- A^T x; none: transposed products are TEXLA_UNSUPPORTED */
  clShell transposed;
  /** y <- the diagonal of A, x is NULL; none: jacobi and chebyshev are TEXLA_UNSUPPORTED */
  clShell diagonal;
  /** the vectors' grid (rows = cols = nx * ny); 0: they are linear */
  int grid_nx, grid_ny;
} clShellOptions;
/**
 * A matrix that is an operator of one's own, for every call that only multiplies: clMatrixVectorOp,
 * all Krylov solvers (with jacobi and chebyshev where there is a diagonal, with a preconditioner of
 * one's own: clSolverOptions::shell).
 * @param[out] out  the caller owns it
 * @param context   where its vectors live
 * @param rows,cols its shape
 * @param options   copied; what the `user` pointers point to must outlive the matrix. The operators
 *         are called in the thread that multiplies, and should not read back: solvers keep the
 *         device busy
 * @return TEXLA_BAD_ARGUMENT without a product, TEXLA_BAD_SHAPE for a grid that does not fit,
 *         TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY
 * @since 0.2 */
TEXLA_API clStatus clMatrixCreateShell(clMatrix **out, clContext *context, int32_t rows,
                                       int32_t cols, const clShellOptions *options);
/** Ends a matrix; its textures wait for reuse.
 * @param A  NULL is allowed */
TEXLA_API void clMatrixDestroy(clMatrix *A);

/** Rows of A.
 * @param A  NULL: 0
 * @return how many */
TEXLA_API int32_t clMatrixRows(const clMatrix *A);
/** Columns of A.
 * @param A  NULL: 0
 * @return how many */
TEXLA_API int32_t clMatrixCols(const clMatrix *A);
/** Entries kept, explicit zeros included.
 * @param A  NULL: 0
 * @return how many; 0 also for an operator of one's own
 * @since 0.1 (clMatrixCount before 0.3) */
TEXLA_API int64_t clMatrixEntries(const clMatrix *A);
/** How A is stored.
 * @param A  NULL: auto
 * @return never auto of a matrix */
TEXLA_API clStorage clMatrixStorage(const clMatrix *A);
/** Storage, shape and why, in one line.
 * @param A  NULL: an empty text
 * @return a text of the matrix, which lives as long as it */
TEXLA_API const char *clMatrixDescription(const clMatrix *A);
/** Where A lives.
 * @param A  NULL: NULL
 * @return the context that A was created on; not the caller's to destroy */
TEXLA_API clContext *clMatrixContext(const clMatrix *A);

/** A storage's name: "auto", "dense", ...
 * @param storage  any value
 * @return a constant; "unknown" for values that are not in the list */
TEXLA_API const char *clStorageName(clStorage storage);

/**
 * The two spaces that a matrix connects: x of y = A x lies in its domain (length: columns), y in
 * its range (length: rows). For A^T they change places. */
typedef enum clMatrixSpace { TEXLA_DOMAIN, TEXLA_RANGE } clMatrixSpace;
/** Creates a zero vector of one of A's spaces, laid out as A's operators need it.
 * @param out  the caller owns it
 * @param A  the matrix
 * @param space  TEXLA_DOMAIN: as long as A has columns; TEXLA_RANGE: as it has rows
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clMatrixCreateVector(clVector **out, const clMatrix *A, clMatrixSpace space);

/** The forms of matrixVectorOp (K6). */
typedef enum clMatrixOp {
  /** y <- op(A) x */
  TEXLA_OP_AX,
  /** y <- op(A) x + b */
  TEXLA_OP_AX_PLUS_B,
  /** y <- op(A) x - b */
  TEXLA_OP_AX_MINUS_B,
  /** y <- b - op(A) x, the residual */
  TEXLA_OP_B_MINUS_AX
} clMatrixOp;
/**
 * matrixVectorOp (K6), with op(A) = A or A^T: y <- op(A) x, with b added or subtracted. Nothing is
 * waited for.
 * @param y  clMatrixCreateVector(&y, A, TEXLA_RANGE) makes it (TEXLA_DOMAIN for A^T)
 * @param op  which form
 * @param A  the matrix
 * @param a_op  TEXLA_NO_TRANSPOSE or TEXLA_TRANSPOSE. The storages points, csr and slots build A^T
 *         at its first use and keep it
 * @param x  not y; from the other space of A
 * @param b  like y; it may be y. Ignored (may be NULL) for TEXLA_OP_AX
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (NULL, x is y, an unknown form), TEXLA_BAD_SHAPE (the
 *         message says which vector and how to make it), TEXLA_UNSUPPORTED (A^T of an operator of
 *         one's own that has none), TEXLA_FOREIGN_CONTEXT, TEXLA_OUT_OF_MEMORY; a failed call
 *         leaves y as it was */
TEXLA_API clStatus clMatrixVectorOp(clVector *y, clMatrixOp op, const clMatrix *A, clTranspose a_op,
                                    const clVector *x, const clVector *b);
/** y <- A x, as clMatrixVectorOp.
 * @param y  of the space TEXLA_RANGE
 * @param A  the matrix
 * @param x  of the space TEXLA_DOMAIN; not y
 * @return as clMatrixVectorOp */
TEXLA_API clStatus clMatrixMulVector(clVector *y, const clMatrix *A, const clVector *x);

/**
 * r <- b - A x in double-float (double.h), to (|b| + |A| |x|)_i 2^-40 at most; rows of k entries
 * give about k 2^-48.
 * @param r  like b; it may be b, not x
 * @param A  with double_float its entries count as the doubles they were, to 2^-48, else as what
 *         single precision has of them
 * @param x  with the layout of A's columns, as clMatrixCreateVector makes it
 * @param b  with that of its rows
 * @return TEXLA_UNSUPPORTED for operators of one's own, for points, and where
 *         the device has no such arithmetic; else as clMatrixVectorOp
 * @since 0.2 */
TEXLA_API clStatus clMatrixResidualDouble(clDoubleVector *r, const clMatrix *A,
                                          const clDoubleVector *x, const clDoubleVector *b);
/**
 * r <- factor (b - A x): the same, rounded to single precision. With a power of two for a factor
 * that is the only error, and a small residual keeps its digits.
 * @param r  like b, in single precision
 * @param factor  on the host
 * @param A  as clMatrixResidualDouble
 * @param x  with the layout of A's columns
 * @param b  with that of its rows
 * @return as clMatrixResidualDouble
 * @since 0.2 */
TEXLA_API clStatus clMatrixResidualRounded(clVector *r, float factor, const clMatrix *A,
                                           const clDoubleVector *x, const clDoubleVector *b);

/** d_i <- a_ii, on the device.
 * @param d  of the space TEXLA_RANGE
 * @param A  square
 * @return TEXLA_BAD_SHAPE where A is not square, TEXLA_UNSUPPORTED for an operator of one's own
 *         that has no diagonal; else as clMatrixVectorOp */
TEXLA_API clStatus clMatrixDiagonal(clVector *d, const clMatrix *A);

#ifdef __cplusplus
}
#endif
#endif
