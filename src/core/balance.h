/* Powers of two for the rows and the columns of a matrix whose entries are of very different sizes,
 * so that no scaled entry exceeds 1 while each row has one of about 1 in a column of its own. Where
 * there are numbers D and E with A = D B E and B of one size, such factors find them; largest
 * entries of rows, and then of columns, do not.
 *
 * They are the dual variables of an assignment: the permutation with the largest product of entries
 * (Olschowka and Neumaier 1996; Duff and Koster's MC64, 2001), by shortest augmenting paths. */
#ifndef TEXLA_CORE_BALANCE_H
#define TEXLA_CORE_BALANCE_H

#include "texla/status.h"

#include <stdint.h>

/* The entries that are not zero, row by row: those of row i are start[i] to start[i + 1] - 1. */
typedef struct txSizes {
  int32_t rows, cols;
  int64_t *start;
  int32_t *col;
  /* 2^(exponent - 1) <= |a| < 2^exponent */
  int16_t *exponent;
} txSizes;

/* Room for `count` entries. */
clStatus txSizesCreate(txSizes *out, int32_t rows, int32_t cols, int64_t count, const char *call,
                       clError *error);
void txSizesDestroy(txSizes *sizes);

/* Entries times 2^(row_i + col_j) are below 1, and at least 1/2 along the permutation. Rows and
 * columns of zeros have exponent 0. Where that takes powers of two beyond the range of doubles, as
 * of a triangular matrix whose diagonal is tiny, the largest entries of rows, and then of columns,
 * decide after all. */
clStatus txBalance(int32_t *row, int32_t *col, const txSizes *sizes, const char *call,
                   clError *error);

#endif
