/* Compressed rows in textures. The entries lie row after row; a row is a range of them. So that
 * neither a fragment's loop nor a serial sum gets long, rows longer than TX_CSR_CHUNK are cut into
 * chunks, whose sums are the items of a further level, and so on: level 0 sums products, level l >
 * 0 the results of level l - 1, the last level gives the rows. */
#ifndef TEXLA_MATRIX_CSR_H
#define TEXLA_MATRIX_CSR_H

#include "matrix/gather.h"

enum { TX_CSR_CHUNK = 256, TX_CSR_LEVELS = 5 };

typedef struct txCsr {
  txGather gather;
  /* R32F; R32I: positions in x */
  txTable value, column;
  int levels;
  struct {
    /* R32I: where each range of items begins, and where the last one ends */
    txTable start;
    /* How many ranges there are. */
    int64_t count;
  } level[TX_CSR_LEVELS];
} txCsr;

/* What level l of a sum reads: the products with x, or the sums of the level before. */
void txCsrItems(txPass *pass, const txCsr *csr, int l, const txTexture *x, const txTable *sums);
/* *sums, none at first, <- what the last level adds up: the sums of all levels before it, numbers
 * or `pairs` (hi, lo). */
clStatus txCsrSums(txTable *sums, clContext *context, const char *call, const txCsr *csr,
                   const txTexture *x, bool pairs);

/* The product (txStorage), in csr_product.c. */
clStatus txCsrMultiply(const char *call, clVector *y, float ca, const clMatrix *A, bool transposed,
                       const clVector *x, float cb, const clVector *b);
/* The product with several vectors, also for the rest of slots. */
clStatus txCsrMultiplySeveral(const char *call, const txCsr *csr, const txMultiProduct *product);

#endif
