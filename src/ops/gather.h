/* What the products of the storages points, csr and slots share. */
#ifndef TEXLA_OPS_GATHER_H
#define TEXLA_OPS_GATHER_H

#include "objects/gather.h"
#include "ops/matvec.h"

/* *out <- the transposed matrix, built at the first call; A itself when it is symmetric. A belongs to its one thread, so
 * that keeping the result in it is safe although it is const. */
clStatus txTransposed(const char *call, const clMatrix *A, const clMatrix **out);

/* d <- the diagonal that was kept */
clStatus txGatherDiagonal(const char *call, clVector *d, const clMatrix *A);

/* Completes a pass that renders y <- ca (its sum) + cb b (shaders/include/combine.glsl). `defines` is the pass's own text. */
void txCombine(txPass *pass, char *defines, size_t n, float ca, float cb, const clVector *b);

#endif
