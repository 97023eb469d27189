/**
 * @file
 * Orthogonal factorization: A P = Q R by blocked Householder reflections with column pivoting, any
 * m x n.
 *
 * A panel of columns is factored on the host in double precision, Q = I - V T V^T; what is right of
 * it is updated by products on the device. Pivots are the largest columns of what is left: among
 * those of a panel exactly, between panels to within a factor of four, which suffices to tell the
 * rank. create / factor / apply / solve / destroy. Objects belong to their context's thread. @since
 * 0.2 */
#ifndef TEXLA_QR_H
#define TEXLA_QR_H

#include "texla/dense.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clQr clQr;

/** Zero means default. */
typedef struct clQrOptions {
  /** columns stay in their order */
  bool no_pivoting;
  /**
   * columns whose rest is smaller than that, relative to the largest column, are not factored: they
   * do not count for the rank. 0: 16 max(m, n)^(1/2) 2^-23; negative: 0 */
  double tolerance;
  /** columns of a panel, rounded up to an even number; 0: 32 */
  int panel;
} clQrOptions;

typedef struct clQrReport {
  int rank;
  /** |r_ii|, i < rank */
  double largest, smallest;
} clQrReport;

/** For matrices of one shape. The caller owns *out. `options` may be NULL. */
TEXLA_API clStatus clQrCreate(clQr **out, clContext *context, int rows, int cols,
                              const clQrOptions *options);
/** NULL is allowed */
TEXLA_API void clQrDestroy(clQr *qr);

/**
 * Factors A, 2x2 packed; may be called again. A of less than full rank is no error: the report has
 * its rank. NaN or Inf in A: TEXLA_NOT_FINITE. After a failure the factorization is that of before.
 * Blocks. `report` may be NULL. */
TEXLA_API clStatus clQrFactor(clQr *qr, const clDense *A, clQrReport *report);
/** Column j of A P is column p[j] of A. NULL before the first factorization. Owned by qr. */
TEXLA_API const int32_t *clQrCols(const clQr *qr);
/** R <- the triangle: min(m, n) x n; rows from the rank on are zero. */
TEXLA_API clStatus clQrUpper(const clQr *qr, clDense *R);
/** X <- Q X or Q^T X, X with m rows, 2x2 packed. */
TEXLA_API clStatus clQrApply(const clQr *qr, clTranspose op, clDense *X);
/**
 * X <- the solutions, n x k, of min ||A X - B||, B m x k, for each column: basic ones where the
 * rank is below n, with zeros for columns that do not count. Single precision; clLeastSquares
 * refines. */
TEXLA_API clStatus clQrSolve(const clQr *qr, clDense *X, const clDense *B);

#ifdef __cplusplus
}
#endif
#endif
