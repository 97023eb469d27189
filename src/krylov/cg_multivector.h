/* Several right-hand sides at once: merged conjugate gradients on multivectors
 * (matrix/multivector.h). Each has its own scalars, end and history; they share the fetches of the
 * matrix and the passes. */
#ifndef TEXLA_KRYLOV_CG_MULTIVECTOR_H
#define TEXLA_KRYLOV_CG_MULTIVECTOR_H

#include "matrix/multivector.h"
#include "krylov/frame.h"

enum { TX_NORM_B, TX_NORM_R0 };

/* The vectors of conjugate gradients as multivectors, four right-hand sides in each.
 *
 * `inverse` is D^-1 in every lane, or NULL. A multivector has `sums` products, each a row of the
 * history: p.q, r.r, q.Mq and, with D^-1, r.Mr. `norms` is TX_GROUPS high, with b.b and r_0.r_0 in
 * its two columns. */
struct txManyColumns {
  clVector *x[TX_GROUPS], *b[TX_GROUPS], *r[TX_GROUPS], *p[TX_GROUPS], *q[TX_GROUPS];
  clVector *inverse;
  int sums;
  txTexture *norms;
};

/* For up to s->columns right-hand sides. */
clStatus txManyCreate(clSolver *s);
/* NULL is allowed */
void txManyDestroy(txManyColumns *many);

/* The multivectors of s->x and s->b, and their norms; back to s->x, but for those that `keep` the
 * start (NULL: none). */
clStatus txManyLoad(clSolver *s);
clStatus txManyStore(clSolver *s, const bool *keep);

/* The directions p, one by one. */
clStatus txManyDirections(clSolver *s, int count, clVector *const *p);

/* r <- b - A x */
clStatus txManyResidual(clSolver *s);
/* A column of `norms` <- v.v */
clStatus txManyNorms(clSolver *s, clVector *const *v, int column);
/* The squares of the tolerances, for cg_merged.vert: by lane, or of the only right-hand side in
 * all. */
void txManySquares(const clSolver *s, float squares[TX_GROUPS][4]);

/* From texels of the history, `count` columns read at once: row 0 of iteration i as it would be for
 * right-hand side j alone. */
void txManyProducts(const clSolver *s, const float *texels, int64_t count, int64_t i, int j,
                    float row[4]);

/* In several.c: is solving `count` right-hand sides at once possible (or else it fails), and faster
 * than in turn?
 * Where that is not obvious, the first use measures it. x and b are scratch. */
clStatus txManyWorthWhile(clSolver *s, int count, clVector *const *x, const clVector *const *b,
                          bool *yes);

#endif
