/* Matrix Market files: the head of one; and those that belong together, of which each is written
 * into its output first, and txOutputCommitAll lets all of them appear. */
#ifndef TEXLA_IO_MATRIX_MARKET_H
#define TEXLA_IO_MATRIX_MARKET_H

#include "core/output.h"
#include "platform/companion.h"
#include "texla/io.h"

typedef struct txMarketHead {
  /* as the file says; count: of the values that it holds */
  int64_t rows, cols, count;
  /* of the header */
  int64_t lines;
  /* bytes of the data */
  int64_t begin, end;
  bool array, pattern;
  /* 0 general, 1 symmetric, -1 skew-symmetric */
  int symmetry;
} txMarketHead;

/* The head of a file, not of a pipe, checked as clMatrixMarketRead does. */
TX_COMPANION clStatus txMarketHeadRead(txMarketHead *head, const char *path, const char *call,
                                       clError *error);

/* Like clMatrixMarketWrite and clMatrixMarketWriteArray, without the commit; *output is closed
 * where they fail. */
clStatus txMatrixMarketPrepare(txOutput *output, const char *path, const clTriplets *A,
                               bool symmetric, const char *comment, clError *error);
clStatus txMatrixMarketPrepareArray(txOutput *output, const char *call, const char *path,
                                    const double *x, int64_t rows, int64_t cols,
                                    const char *comment, clError *error);

#endif
