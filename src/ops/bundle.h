/* Bundles: vectors in fours, so that one pass works on four or eight of them and fetches a matrix once for all.
 *
 * A bundle is a clVector whose layout is interleaved: a texel holds element i of each of its four vectors. What acts on
 * lanes alone (copies, sums) does not notice; products have kernels of their own, for one or two bundles (groups). */
#ifndef TEXLA_OPS_BUNDLE_H
#define TEXLA_OPS_BUNDLE_H

#include "objects/matrix.h"
#include "ops/run.h"

enum { TX_BUNDLE = 4 /* vectors in a bundle */, TX_GROUPS = 2 };

/* A zero bundle of vectors of this layout, which may be too large for it. */
clStatus txBundleCreate(clVector **out, clContext *context, const char *call, const txLayout *vector);

/* bundle <- count <= 4 vectors, zeros beyond; and back. */
clStatus txBundleGather(const char *call, clVector *bundle, const clVector *const *x, int count);
clStatus txBundleScatter(const char *call, clVector *const *x, int count, const clVector *bundle);

/* y_g <- ca A x_g + cb b_g for g < groups. The bundles have the layouts of A's vectors; no y is an x or a b. */
typedef struct txBundleProduct {
  const clMatrix *A;
  int groups;
  clVector *const *y, *const *x, *const *b; /* b NULL: none */
  float ca, cb;
} txBundleProduct;
clStatus txBundleMultiply(const char *call, const txBundleProduct *product);

/* For the storages' kernels, whose shaders include matrix/bundle.glsl. `defines` is the pass's own text, with room for
 * more. Run renders all of y, Draw the pass's rectangle (or points) into it. */
clStatus txBundleRun(const char *call, txPass *pass, char *defines, size_t n, const txBundleProduct *product);
clStatus txBundleDraw(const char *call, txPass *pass, char *defines, size_t n, const txBundleProduct *product);
/* The product whose sum is added to what y already holds. */
txBundleProduct txBundleAdding(const txBundleProduct *product);

clStatus txBundleDense(const char *call, const txBundleProduct *product);
clStatus txBundleBanded(const char *call, const txBundleProduct *product);
clStatus txBundlePoints(const char *call, const txBundleProduct *product);
clStatus txBundleCsr(const char *call, const txBundleProduct *product);
clStatus txBundleSlots(const char *call, const txBundleProduct *product);

#endif
