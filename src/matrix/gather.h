/* What the storages points, csr and slots share: each gathers elements of x one by one, from a
 * texture with one element to a texel, and cannot run backwards, so that a transposed product needs
 * the transposed matrix. */
#ifndef TEXLA_MATRIX_GATHER_H
#define TEXLA_MATRIX_GATHER_H

#include "matrix/storage.h"

/* Every storage's data begins with it. */
typedef struct txGather {
  /* Element (u, v) of x is at position v 2^shift + u. */
  int shift;
  int32_t positions;
  /* The diagonal, in the layout of a vector; NULL when A is not square. */
  txTexture *diagonal;
} txGather;

/* Fails when x cannot be held one element to a texel. Keeps A's diagonal, and the entries in
 * A->host where it is transposable. */
clStatus txGatherCreate(txGather *g, clMatrix *A, const char *call, const txRows *rows);
/* Writes the diagonal anew. */
clStatus txGatherUpdate(txGather *g, const clMatrix *A, const char *call, const txRows *rows);
void txGatherDestroy(txGather *g);

static inline int32_t txGatherPosition(const txGather *g, const txLayout *layout, int32_t j) {
  return (int32_t)(j / layout->row << g->shift | j % layout->row);
}

/* How wide a vector is with one element to a texel. */
int64_t txUnpackedWidth(const txLayout *layout);

/* start[i] is row i's first entry, start[rows] the count; the caller frees it. NULL: no memory, and
 * the message is set. */
int64_t *txRowStarts(const clMatrix *A, const char *call, const txRows *rows);

/* A list in a texture: item k is texel (k mod 2^shift, k / 2^shift). */
typedef struct txTable {
  txTexture *texture;
  int shift;
} txTable;
/* `items` NULL: the texture is left undefined. A table of no items has room for one. */
clStatus txTableCreate(txTable *out, clContext *context, const char *call, txFormat format,
                       const void *items, int64_t count);
/* All of its items, anew. */
clStatus txTableWrite(const txTable *table, const char *call, txFormat format, const void *items,
                      int64_t count);

/* For matrices that will not be asked for their transpose: frees the copy of the entries. */
void txMatrixForget(clMatrix *A);

/* *out <- the transposed matrix, built at the first call; A itself when it is symmetric. A belongs
 * to its one thread, so that keeping the result in it is safe although it is const. */
clStatus txTransposed(const char *call, const clMatrix *A, const clMatrix **out);

/* d <- the diagonal that was kept when A was created. */
clStatus txGatherDiagonal(const char *call, clVector *d, const clMatrix *A);

/* Completes a pass that renders y <- ca (its sum) + cb b (shaders/include/combine.glsl). `defines`
 * is the pass's own text. */
void txCombine(txPass *pass, char *defines, size_t n, float ca, float cb, const clVector *b);

#endif
