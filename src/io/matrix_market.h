/* Matrix Market files that belong together: each is written into its output first, and
 * txOutputCommitAll lets all of them appear. */
#ifndef TEXLA_IO_MATRIX_MARKET_H
#define TEXLA_IO_MATRIX_MARKET_H

#include "core/output.h"
#include "texla/io.h"

/* Like clMatrixMarketWrite and clMatrixMarketWriteArray, without the commit; *output is closed
 * where they fail. */
clStatus txMatrixMarketPrepare(txOutput *output, const char *path, const clTriplets *A,
                               bool symmetric, const char *comment, clError *error);
clStatus txMatrixMarketPrepareArray(txOutput *output, const char *call, const char *path,
                                    const double *x, int64_t rows, int64_t cols,
                                    const char *comment, clError *error);

#endif
