/* Equilibration: rows and columns of a dense matrix multiplied by powers of two, S = diag(2^row) A
 * diag(2^col), so that the entries of all are of about the same size. Powers of two change no
 * digits. */
#ifndef TEXLA_ELIMINATION_EQUILIBRATE_H
#define TEXLA_ELIMINATION_EQUILIBRATE_H

#include "dense/entries.h"

typedef struct txEquilibration {
  int rows, cols;
  /* some exponent is not zero */
  bool scales;
  /* exponents, on the host */
  int32_t *row, *col;
  /* the same on the device: a row of pairs */
  txTexture *row_exponents, *col_exponents;
} txEquilibration;

/* For matrices of one shape; all exponents are zero. */
clStatus txEquilibrationCreate(txEquilibration *out, clContext *context, const char *call, int rows,
                               int cols);
void txEquilibrationDestroy(txEquilibration *e);

/* Chooses the exponents for A. Rows are scaled where their largest entries differ by more than 2^3,
 * or are beyond 2^40 or below 2^-40; then columns, by the same rule; what is of one size stays as
 * it is. Where the largest entries are further apart than 2^12, in rows or then in columns, A is
 * read and both are chosen together (core/balance.h). `uniform`: at most one factor for all. Fails
 * where A holds what is not finite. Blocks. */
clStatus txEquilibrationFind(txEquilibration *e, const char *call, const clDense *A, bool uniform);

/* S <- diag(2^row) A diag(2^col) */
clStatus txEquilibrationApply(const txEquilibration *e, const char *call, clDense *S,
                              const clDense *A);

/* C <- diag(2^(s row)) A diag(2^(t col)), with (s, t) = signs and exponents in textures. Not the
 * texture of C. */
clStatus txDenseScale(const char *call, clDense *C, const clDense *A, const txTexture *row,
                      const txTexture *col, const float signs[2]);

/* *out <- a texture of n exponents, which the caller destroys. */
clStatus txExponentsUpload(txTexture **out, clContext *context, const char *call,
                           const int32_t *exponent, int n);

/* *out <- the largest exponent e of each row (column) of A, 2^(e-1) <= |a| < 2^e, -1e4 where all is
 * zero, 1e4 where something is not finite; those of column (row) j count shift_j more (NULL:
 * nothing). The caller destroys the texture. */
clStatus txDenseExponents(const char *call, txTexture **out, const clDense *A, bool columns,
                          const txTexture *shift);

#endif
