/* Multivectors: vectors in fours, so that one pass works on four or eight of them and fetches a
 * matrix once for all.
 *
 * A multivector is a clVector whose layout is interleaved: a texel holds element i of each of its
 * four vectors. What acts on lanes alone (copies, sums) does not notice; products have kernels of
 * their own, for one or two multivectors (groups). */
#ifndef TEXLA_MATRIX_MULTIVECTOR_H
#define TEXLA_MATRIX_MULTIVECTOR_H

#include "matrix/storage.h"

enum { TX_MULTIVECTOR = 4 /* vectors in a multivector */, TX_GROUPS = 2 };

/* A zero multivector of vectors of this layout, which may be too large for it. */
clStatus txMultivectorCreate(clVector **out, clContext *context, const char *call,
                             const txLayout *vector);

/* multivector <- count <= 4 vectors, zeros beyond; and back. */
clStatus txMultivectorGather(const char *call, clVector *multivector, const clVector *const *x,
                             int count);
clStatus txMultivectorScatter(const char *call, clVector *const *x, int count,
                              const clVector *multivector);

clStatus txMultivectorMultiply(const char *call, const txMultiProduct *product);

/* For the storages' kernels, whose shaders include matrix/multivector.glsl. `defines` is the pass's
 * own text, with room for more. Run renders all of y, Draw the pass's rectangle (or points) into
 * it. */
clStatus txMultivectorRun(const char *call, txPass *pass, char *defines, size_t n,
                          const txMultiProduct *product);
clStatus txMultivectorDraw(const char *call, txPass *pass, char *defines, size_t n,
                           const txMultiProduct *product);
/* The product whose sum is added to what y already holds. */
txMultiProduct txMultivectorAdding(const txMultiProduct *product);

#endif
