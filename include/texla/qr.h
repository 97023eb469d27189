/**
 * @file
 * Orthogonal factorization (QR): A P = Q R by blocked Householder reflections with column pivoting,
 * any m x n (LAPACK's geqp3).
 *
 * A panel of columns (a block of LAPACK's) is factored on the host in double precision, Q = I - V T
 * V^T; what is right of it is updated by products on the device. Pivots are the largest columns of
 * what is left: among those of a panel exactly, between panels to within a factor of four, which
 * suffices to tell the rank. create / factor / apply / solve / destroy.
 *
 * Aliasing, ownership, threads and errors: as at the top of dense.h. TEXLA_BAD_ARGUMENT also where
 * nothing was factored yet.
 *
 * @since 0.2 */
#ifndef TEXLA_QR_H
#define TEXLA_QR_H

#include "texla/dense.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A factorization: create / factor / apply / solve / destroy. */
typedef struct clQr clQr;

/** Zero means default. */
typedef struct clQrOptions {
  /** columns stay in their order */
  bool no_pivoting;
  /**
   * columns whose rest is smaller than that, relative to the largest column, are not factored: they
   * do not count for the rank. 0: 16 max(m, n)^(1/2) 2^-23; negative: 0 */
  double tolerance;
  /** columns of a panel, rounded up to an even number, at most 32; 0: 32 */
  int panel;
} clQrOptions;

/** What a factorization has found. */
typedef struct clQrReport {
  /** columns that were factored: those above the tolerance */
  int rank;
  /** |r_ii|, i < rank */
  double largest, smallest;
} clQrReport;

/** A factorization for matrices of one shape.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives
 * @param rows  at least 1
 * @param cols  at least 1
 * @param options  NULL: defaults; copied
 * @return TEXLA_OK, or what the top of dense.h lists */
TEXLA_API clStatus clQrCreate(clQr **out, clContext *context, int rows, int cols,
                              const clQrOptions *options);
/** Ends a factorization, with what clQrCols has returned.
 * @param qr  NULL is allowed */
TEXLA_API void clQrDestroy(clQr *qr);

/**
 * Factors A; may be called again with another matrix. A of less than full rank is no error: the
 * report has its rank. Blocks.
 * @param qr  of A's shape. After a failure the factorization is that of before
 * @param A  m x n, 2x2 packed; stays as it is
 * @param report  <- what was found; NULL is allowed
 * @return TEXLA_OK, TEXLA_NOT_FINITE (NaN or Inf in A), or what the top of dense.h lists */
TEXLA_API clStatus clQrFactor(clQr *qr, const clDense *A, clQrReport *report);
/** The permutation: column j of A P is column p[j] of A.
 * @param qr  NULL: NULL
 * @return n numbers p, owned by the factorization, valid until the next one; NULL before the first
 */
TEXLA_API const int32_t *clQrCols(const clQr *qr);
/** R <- the triangle; rows from the rank on are zero.
 * @param qr  that has factored
 * @param R  min(m, n) x n, in any packing
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clQrUpper(const clQr *qr, clDense *R);
/** X <- Q X or Q^T X (LAPACK's ormqr).
 * @param qr  that has factored
 * @param op  Q or its transpose
 * @param X  m rows, any number of columns, 2x2 packed
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clQrApply(const clQr *qr, clTranspose op, clDense *X);
/**
 * X <- the solutions of min ||A X - B||_2, for each column: basic ones where the rank is below n,
 * with zeros for columns that do not count. Single precision; clLeastSquares refines. Blocks.
 * @param qr  that has factored A
 * @param X  n x k; may be B where m = n
 * @param B  m x k, 2x2 packed
 * @return TEXLA_OK, TEXLA_NOT_FINITE (a solution beyond single precision), or what the top of this
 *         file lists */
TEXLA_API clStatus clQrSolve(const clQr *qr, clDense *X, const clDense *B);

#ifdef __cplusplus
}
#endif
#endif
