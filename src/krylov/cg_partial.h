/* Merged conjugate gradients where the host shades, for one vector: an iteration of two passes, or
 * three.
 *
 * There the last pass of a reduction, of a single fragment, takes as long to wake its threads for
 * as to compute. So a step sums the partial results of its products itself, once, in its vertex
 * shader; the history gets those of many iterations in one pass, when somebody looks. And where A
 * is a stencil of five points that is the same everywhere, q = A p is computed by those who need
 * it, from the texels of p that lie around, and is neither written nor read. [512^2, llvmpipe, two
 * workers: 0.79 ms an iteration instead of 0.95; without workers 256^2 0.28 instead of 0.33. Of
 * 1024^2, where the products read memory in its order instead of columns, their pass takes 0.6 of
 * the time] */
#ifndef TEXLA_KRYLOV_CG_PARTIAL_H
#define TEXLA_KRYLOV_CG_PARTIAL_H

#include "krylov/frame.h"

/* s->own, or NULL where these sums are not for this solver. It has the vectors r, p and q. */
clStatus txPartialCreate(clSolver *s);
void txPartialDestroy(clSolver *s);

/* Is this run one with partial sums? Then: the products of iteration k, into the ring. */
bool txPartialUsed(const clSolver *s);
clStatus txPartialMeasure(clSolver *s, int64_t k);
/* The history gets what it lacks. */
clStatus txPartialRecord(clSolver *s);

/* Is q computed by those who need it? */
bool txPartialStencil(const clSolver *s);
/* What the step of iteration k must know beyond its vectors; the defines for that. */
const char *txPartialGive(const clSolver *s, txPass *pass, int64_t k);

#endif
