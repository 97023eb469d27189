/* clDense: a dense m x n matrix as 2 x 2 sub-matrices, one to an RGBA texel (B1), and the algebra on it (B2 - B4).
 *
 * Texel (j, i) holds rows 2i and 2i + 1 of columns 2j and 2j + 1: R, G from the first row, B, A from the second. Lanes
 * outside of the matrix always hold zero. Element-wise calls and copies take every packing, all others the default 2 x 2
 * (clDenseCopy converts). Rows and columns count from 0 here; messages about entries count from 1.
 *
 * Destinations come first and may alias operands unless a comment forbids it (ping-pong inside). Nothing waits for the
 * device except downloads and the calls that return numbers. A failed call leaves its outputs as they were. */
#ifndef TEXLA_DENSE_H
#define TEXLA_DENSE_H

#include "texla/scalar.h"
#include "texla/triplets.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clDense clDense;

/* How entries share texels: rows x columns of the sub-matrix in one texel. */
typedef enum clPacking {
  TEXLA_PACKING_2X2, /* RGBA, ceil(n / 2) x ceil(m / 2) texels */
  TEXLA_PACKING_1X1, /* one component, n x m */
  TEXLA_PACKING_4X1, /* RGBA, four rows of a column, n x ceil(m / 4) */
  TEXLA_PACKING_1X4  /* RGBA, four columns of a row, ceil(n / 4) x m */
} clPacking;
TEXLA_API const char *clPackingName(clPacking packing); /* "2x2", ... */

typedef enum clDenseOp { TEXLA_NORMAL, TEXLA_TRANSPOSED } clDenseOp; /* op(A) = A or A^T */

/* ---- Life, transfer ------------------------------------------------------------------------------------------- */

/* New matrices hold zeros. The caller owns *out. rows, cols >= 1; too large ones are refused before allocating. */
TEXLA_API clStatus clDenseCreate(clDense **out, clContext *context, int rows, int cols);
TEXLA_API clStatus clDenseCreatePacked(clDense **out, clContext *context, int rows, int cols, clPacking packing);
TEXLA_API clStatus clDenseCreateLike(clDense **out, const clDense *A); /* same shape and packing, zeros */
TEXLA_API clStatus clDenseClone(clDense **out, const clDense *A);      /* same values too */
TEXLA_API void clDenseDestroy(clDense *A);                             /* NULL is allowed */

TEXLA_API int clDenseRows(const clDense *A);
TEXLA_API int clDenseCols(const clDense *A);
TEXLA_API clPacking clDensePacking(const clDense *A);
TEXLA_API clContext *clDenseContext(const clDense *A);

/* Row-major: a_ij = values[i * lead + j], lead >= cols. NaN and Inf are refused with their position. Download blocks. */
TEXLA_API clStatus clDenseUpload(clDense *A, const float *values, int64_t lead);
TEXLA_API clStatus clDenseDownload(const clDense *A, float *values, int64_t lead);
/* A <- T, rounded to single precision; same shape. Values beyond it are refused with their position. */
TEXLA_API clStatus clDenseUploadTriplets(clDense *A, const clTriplets *T);
/* All entries, zeros too; the caller owns *out. Blocks. */
TEXLA_API clStatus clDenseDownloadTriplets(clTriplets **out, const clDense *A);

/* ---- Entries -------------------------------------------------------------------------------------------------- */

TEXLA_API clStatus clDenseFill(clDense *A, float value);     /* a_ij <- value */
TEXLA_API clStatus clDenseIdentity(clDense *A, float value); /* a_ij <- value where i = j, else 0; any shape */
/* C <- A; same shape, any packings: this is the conversion between them, one pass. */
TEXLA_API clStatus clDenseCopy(clDense *C, const clDense *A);
/* C <- A^T, any packings. */
TEXLA_API clStatus clDenseTranspose(clDense *C, const clDense *A);
/* C[row .. row + rows, col .. col + cols] <- op(A)[a_row .., a_col ..]; the rest of C stays. Any packings and offsets,
 * also overlapping blocks of one matrix. */
TEXLA_API clStatus clDenseCopyBlock(clDense *C, int row, int col, clDenseOp op, const clDense *A, int a_row, int a_col,
                                    int rows, int cols);
/* C <- a A + b B; same shape and packing. */
TEXLA_API clStatus clDenseAdd(clDense *C, float a, const clDense *A, float b, const clDense *B);
/* c_ij <- a_ij b_ij */
TEXLA_API clStatus clDenseMul(clDense *C, const clDense *A, const clDense *B);
/* C <- the lower or upper triangle of A, zeros elsewhere; unit: ones on the diagonal instead of A's. C has A's shape, or
 * fewer columns (lower) or rows (upper): the L and U of a rectangular factorization. */
typedef enum clTriangle { TEXLA_LOWER, TEXLA_UPPER } clTriangle;
TEXLA_API clStatus clDenseTriangle(clDense *C, clTriangle triangle, bool unit, const clDense *A);

/* max |a_ij|, the largest column sum and row sum of |a_ij|, sqrt(sum a_ij^2); the result stays on the device. */
typedef enum clNorm { TEXLA_NORM_MAX, TEXLA_NORM_ONE, TEXLA_NORM_INF, TEXLA_NORM_FROBENIUS } clNorm;
TEXLA_API clStatus clDenseNorm(clFloat *s, clNorm norm, const clDense *A);

/* ---- Product (B2) --------------------------------------------------------------------------------------------- */

/* C <- alpha op(A) op(B) + beta C. With beta = 0 C's old values do not matter. C may be A or B (it is copied then). The
 * variant is measured at first use on a device. Matrices of integers whose sums stay below 2^24 multiply exactly. */
TEXLA_API clStatus clDenseMultiply(clDense *C, float alpha, clDenseOp a_op, const clDense *A, clDenseOp b_op,
                                   const clDense *B, float beta);

/* ---- Elimination (B3, B4) ------------------------------------------------------------------------------------- */

typedef enum clPivoting {
  TEXLA_PIVOT_PARTIAL,    /* the largest magnitude of the column; single rows change places */
  TEXLA_PIVOT_FULL,       /* the largest magnitude of what is left */
  TEXLA_PIVOT_BLOCK_HARM, /* 2 x 2 blocks as the documents have them, largest |a11 a22 / (a11 + a22)| */
  TEXLA_PIVOT_BLOCK_GEOM, /* ... largest |a11 a22|; neither can factor every regular matrix ([[0, 1], [1, 0]]) */
  TEXLA_PIVOT_NONE
} clPivoting;
TEXLA_API const char *clPivotingName(clPivoting pivoting); /* "partial", "full", "block-harm", "block-geom", "none" */

/* Zero means default. */
typedef struct clEliminationOptions {
  clPivoting pivoting;
  double
      tolerance; /* pivots up to it are zero; 0: 10 max(m, n) eps max |a_ij|, after scaling rows and columns where these
                       are of different sizes; negative: only exact zeros are */
} clEliminationOptions;

/* R <- the reduced row echelon form of A (Gauss-Jordan, B3), any shape. *rank and pivot_cols (room for min(m, n); the first
 * *rank are set) may be NULL. Blocks when it ends. Full pivoting permutes columns only while it works: R is the echelon form
 * of A itself for every pivoting. */
TEXLA_API clStatus clDenseRref(clDense *R, const clDense *A, const clEliminationOptions *options, int *rank,
                               int *pivot_cols);

/* X <- A^-1; TEXLA_SINGULAR where A is singular to the tolerance. */
TEXLA_API clStatus clDenseInverse(clDense *X, const clDense *A, const clEliminationOptions *options);

/* det A = sign * exp(log_magnitude); sign is 0, and log_magnitude -Inf, when A is singular. value is 0 or Inf out of range. */
typedef struct clDeterminant {
  double value, log_magnitude;
  int sign; /* -1, 0, 1 */
} clDeterminant;
TEXLA_API clStatus clDenseDeterminant(clDeterminant *out, const clDense *A);

/* X <- op(T)^-1 B with the lower or upper triangle of the square T (the other is not read); unit: its diagonal counts as
 * ones. Any number of right-hand sides (columns of B). TEXLA_SINGULAR when a diagonal entry is zero. */
TEXLA_API clStatus clDenseTriangularSolve(clDense *X, clTriangle triangle, bool unit, clDenseOp op, const clDense *T,
                                          const clDense *B);

/* PLU (B4): P A = L U (with full pivoting P A Q = L U), blocked, for any m x n; create / factor / solve / get / destroy. */
typedef struct clPlu clPlu;

/* Zero means default. */
typedef struct clPluOptions {
  clEliminationOptions elimination;
  int panel; /* columns of a step, rounded up to multiples of 30; 0: what suits the device */
} clPluOptions;

typedef struct clPluReport {
  int rank;                             /* pivots above the tolerance; min(m, n) when the matrix has full rank */
  double growth;                        /* max |u_ij| / max |a_ij| */
  double smallest_pivot, largest_pivot; /* magnitudes */
} clPluReport;

/* Allocates for matrices of one shape. The caller owns *out. */
TEXLA_API clStatus clPluCreate(clPlu **out, clContext *context, int rows, int cols, const clPluOptions *options);
TEXLA_API void clPluDestroy(clPlu *plu); /* NULL is allowed */

/* Factors A (which stays as it is); may be called again with another matrix. A rank-deficient matrix gives TEXLA_SINGULAR
 * and the report's rank, never NaN or Inf; P A = L U still holds, with zeros for the pivots below the tolerance. `report` may be NULL. Blocks when it ends. */
TEXLA_API clStatus clPluFactor(clPlu *plu, const clDense *A, clPluReport *report);

/* L (unit, below the diagonal) and U (on and above) in one matrix, owned by the factorization. */
TEXLA_API const clDense *clPluFactors(const clPlu *plu);
/* Row i of P A is row p[i] of A; column j of A Q is column q[j] of A (q: NULL unless pivoting is full). */
TEXLA_API const int32_t *clPluRows(const clPlu *plu);
TEXLA_API const int32_t *clPluCols(const clPlu *plu);

/* X <- op(A)^-1 B, square A; any number of right-hand sides. Needs a factorization of full rank. */
TEXLA_API clStatus clPluSolve(const clPlu *plu, clDenseOp op, clDense *X, const clDense *B);

/* *rcond <- an estimate of 1 / (||A||_1 ||A^-1||_1) (Higham's estimator, a few solves). Blocks. */
TEXLA_API clStatus clPluCondition(const clPlu *plu, double *rcond);

/* Iterative refinement to double accuracy: A (compressed; the matrix that was factored, in double), b and x are on the
 * host, x: in: start value (zeros are fine), out: solution of op(A) x = b. */
typedef struct clRefineReport {
  int iterations;
  double residual;       /* ||b - A x||_2 / ||b||_2 */
  double backward_error; /* max_i |b - A x|_i / (|A| |x| + |b|)_i */
  double forward_error;  /* a bound of max |x - x*| / max |x|, from backward_error and rcond */
} clRefineReport;
/* Zero means default. */
typedef struct clRefineOptions {
  double tolerance;   /* on backward_error; 0: 1e-15 */
  int max_iterations; /* 0: 30 */
} clRefineOptions;
/* TEXLA_NOT_CONVERGED when the correction stops shrinking before the tolerance; x is the best reached. */
TEXLA_API clStatus clPluRefine(const clPlu *plu, clDenseOp op, const clTriplets *A, double *x, const double *b,
                               const clRefineOptions *options, clRefineReport *report);

#ifdef __cplusplus
}
#endif
#endif
